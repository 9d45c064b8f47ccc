import { checkOrder, checkPublicId, filled, invalid, lineOf, linesOf, MAX_NAME_LENGTH, textOf } from '../catalog-rules';
import { BotForm } from '../entities/bot-form.entity';
import { FIELD_TYPES, type FieldType, type FormField } from '../form-field';
import { LIVE, liveColumns, livenessOf, type ContentKind, type Liveness } from './content-kind';

const KEY = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
const MAX_FIELDS = 20;
const MAX_OPTIONS = 100;
const MAX_KEYWORDS = 50;
const MAX_CONFIRMATION_LENGTH = 1_000;
const MAX_FORMS = 100;

/** A field in a request; `FormField` is the validated field. */
export interface FieldDetails {
  key: string;
  label: string;
  type: string;
  required?: boolean | undefined;
  options?: string[] | undefined;
}

export interface FormDetails extends Liveness {
  /** Default: generated. It never changes. */
  id?: string;
  title: string;
  /** A message that contains one of these words or phrases opens the form. */
  trigger: { keywords?: string[] | undefined };
  fields: FieldDetails[];
  /** The reply to a submitted form; null for the default text. */
  confirmation: string | null;
  displayOrder: number;
}

export const FORMS: ContentKind<BotForm, FormDetails> = {
  entity: BotForm,
  name: 'form',
  idPrefix: 'form',
  most: MAX_FORMS,
  idField: 'publicId',
  unique: [{ column: 'publicId', field: 'id' }],
  naturalKeyOf: ({ id }) => id,
  defaults: { trigger: {}, confirmation: null, displayOrder: 0, ...LIVE },
  valuesOf: (details) => ({
    ...(details.id === undefined ? {} : { publicId: checkPublicId('id', details.id) }),
    title: filled('title', lineOf('title', details.title, MAX_NAME_LENGTH)),
    triggerKeywords: linesOf('trigger.keywords', details.trigger.keywords ?? [], MAX_KEYWORDS, MAX_NAME_LENGTH),
    fields: checkFields(details.fields),
    confirmation: textOf('confirmation', details.confirmation, MAX_CONFIRMATION_LENGTH),
    displayOrder: checkOrder(details.displayOrder),
    ...liveColumns(details),
  }),
  detailsOf: (form) => {
    const { publicId: id, title, triggerKeywords: keywords, fields, confirmation, displayOrder } = form;
    return { id, title, trigger: { keywords }, fields, confirmation, displayOrder, ...livenessOf(form) };
  },
  search: null,
};

function checkFields(fields: readonly FieldDetails[]): FormField[] {
  if (fields.length === 0 || fields.length > MAX_FIELDS) throw invalid('fields', `must be 1 to ${MAX_FIELDS} fields.`);
  const keys = new Set<string>();
  return fields.map((field, index) => {
    const at = `fields[${index}]`;
    if (!KEY.test(field.key)) {
      throw invalid(
        `${at}.key`,
        'must be a letter, followed by at most 63 letters, digits, underscores, dots and hyphens.',
      );
    }
    if (keys.has(field.key)) throw invalid(`${at}.key`, `${field.key} is used twice. Every field needs a unique key.`);
    keys.add(field.key);
    return checkField(at, field);
  });
}

function checkField(at: string, { key, label, type, required = false, options = [] }: FieldDetails): FormField {
  const field: FormField = {
    key,
    // If the label contains only markup, the key becomes the label.
    label: lineOf(`${at}.label`, label, MAX_NAME_LENGTH) ?? key,
    type: checkFieldType(at, type),
    required,
  };
  if (field.type !== 'select') {
    if (options.length > 0) throw invalid(`${at}.options`, 'are only allowed for fields of type select. Remove them.');
    return field;
  }
  const choices = linesOf(`${at}.options`, options, MAX_OPTIONS, MAX_NAME_LENGTH);
  if (choices.length === 0) throw invalid(`${at}.options`, `must be a list of 1 to ${MAX_OPTIONS} texts.`);
  return { ...field, options: choices };
}

function checkFieldType(at: string, type: string): FieldType {
  const known = FIELD_TYPES.find((one) => one === type);
  if (known) return known;
  throw invalid(`${at}.type`, `must be one of ${FIELD_TYPES.join(', ')}.`);
}
