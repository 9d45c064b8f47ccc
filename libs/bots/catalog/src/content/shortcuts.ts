import { checkOrder, checkPublicId, invalid, lineOf } from '../catalog-rules';
import { BotShortcut } from '../entities/bot-shortcut.entity';
import { MAX_LABEL_LENGTH, MAX_QUESTION_LENGTH } from './faqs';
import { LIVE, liveColumns, livenessOf, type ContentKind, type Liveness } from './content-kind';

const COMMAND = /^\/[\p{L}\p{N}][\p{L}\p{M}\p{N}_.-]{0,63}$/u;
const TYPE = /^[a-z][a-z0-9_.-]{0,63}$/i;
const MAX_DESCRIPTION_LENGTH = 500;
const MAX_SHORTCUTS = 100;

export interface ShortcutDetails extends Liveness {
  /** Default: generated. It never changes. */
  id?: string;
  label: string;
  /** A slash and a word; not case-sensitive. Unique within the bot. */
  command: string;
  description: string;
  /** `knowledge_query`, `faq`, `form` or `handoff`; any other type is handled like `knowledge_query`. */
  type: string;
  /** The question, or the id of the FAQ or form; null: the label is the question. */
  query: string | null;
  displayOrder: number;
}

export const SHORTCUTS: ContentKind<BotShortcut, ShortcutDetails> = {
  entity: BotShortcut,
  name: 'shortcut',
  idPrefix: 'shortcut',
  most: MAX_SHORTCUTS,
  idField: 'publicId',
  unique: [
    { column: 'publicId', field: 'id' },
    { column: 'command', field: 'command' },
  ],
  naturalKeyOf: ({ id }) => id,
  defaults: { description: '', type: 'knowledge_query', query: null, displayOrder: 0, ...LIVE },
  valuesOf: (details) => {
    const command = checkCommand(details.command);
    return {
      ...(details.id === undefined ? {} : { publicId: checkPublicId('id', details.id) }),
      // If the label contains only markup, the command becomes the label.
      label: lineOf('label', details.label, MAX_LABEL_LENGTH) ?? command,
      command,
      description: lineOf('description', details.description, MAX_DESCRIPTION_LENGTH) ?? '',
      type: checkType(details.type),
      query: lineOf('query', details.query, MAX_QUESTION_LENGTH),
      displayOrder: checkOrder(details.displayOrder),
      ...liveColumns(details),
    };
  },
  detailsOf: (shortcut) => {
    const { publicId: id, label, command, description, type, query, displayOrder } = shortcut;
    return { id, label, command, description, type, query, displayOrder, ...livenessOf(shortcut) };
  },
  search: null,
};

function checkCommand(text: string): string {
  const command = text.trim().toLowerCase();
  if (COMMAND.test(command)) return command;
  throw invalid('command', 'must be a slash followed by at most 64 letters, digits, _ . -, such as /returns.');
}

function checkType(type: string): string {
  if (TYPE.test(type)) return type;
  throw invalid('type', 'must be a word, such as knowledge_query, faq, form or handoff.');
}
