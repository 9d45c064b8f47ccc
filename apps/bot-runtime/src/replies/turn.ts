import type { AvailableBot, AvailableForm } from '@heliograph/bot-catalog';
import type { InlineForm, QuickReply } from '@heliograph/bot-conversations';
import type { Lines } from './lines/language-lines';
import { linesOf } from './lines/lines';
import type {
  DraftReply,
  EngineState,
  HistoryLine,
  ModelOptions,
  Replied,
  ReplySources,
  ReplyStep,
  Source,
} from './reply';

/** The data sources of the engine, and the earlier messages. */
export type TurnSources = ReplySources & ModelOptions & { history: HistoryLine[] };

const MAX_ANSWERED = 10;
const MAX_SUBMITTED = 50;

/** One turn of a conversation: the input of a reply, and the state for the next turn. */
export class Turn {
  readonly lines: Readonly<Lines>;
  readonly answered: readonly string[];
  readonly submitted: readonly string[];
  readonly missed: number;
  /** Whether the last reply offered a person. */
  readonly wasOfferedPerson: boolean;

  constructor(
    readonly bot: AvailableBot,
    state: EngineState,
    readonly sources: TurnSources,
  ) {
    this.lines = linesOf(bot);
    this.answered = state.answered ?? [];
    this.submitted = state.submitted ?? [];
    this.missed = state.missed ?? 0;
    this.wasOfferedPerson = state.offered === 'handoff';
  }

  /** Public id of the FAQ that was answered last, which is not offered again in the next turn. */
  get justAnswered(): string[] {
    return this.answered.slice(-1);
  }

  /** The form, or null if it has been submitted. */
  isOpen({ id }: AvailableForm): boolean {
    return !this.submitted.includes(id);
  }

  /** A reply and the resulting state. By default, a turn with an answer resets the number of turns without an answer. */
  reply(
    via: ReplyStep,
    content: string,
    more: {
      faqId?: string;
      sources?: Source[];
      quickReplies?: QuickReply[] | null;
      form?: AvailableForm;
      missed?: number;
      submitted?: string;
      offersPerson?: boolean;
      isHandoff?: boolean;
    } = {},
  ): Replied {
    const { faqId, sources, quickReplies = null, form, missed = 0, submitted, offersPerson, isHandoff = false } = more;
    const metadata: DraftReply['metadata'] = { author: 'bot', via };
    if (faqId !== undefined) metadata.faqId = faqId;
    if (sources && sources.length > 0) metadata.sources = sources;
    const state: EngineState = {};
    const answered = faqId === undefined ? this.answered : latest(this.answered, faqId, MAX_ANSWERED);
    const filledIn = submitted === undefined ? this.submitted : latest(this.submitted, submitted, MAX_SUBMITTED);
    if (answered.length > 0) state.answered = [...answered];
    if (filledIn.length > 0) state.submitted = [...filledIn];
    if (missed > 0) state.missed = missed;
    if (offersPerson) state.offered = 'handoff';
    return { reply: { content, metadata, quickReplies, form: form ? inlineForm(form) : null }, state, isHandoff };
  }
}

function latest(ids: readonly string[], id: string, most: number): string[] {
  return [...ids.filter((known) => known !== id), id].slice(-most);
}

function inlineForm({ id, title, fields }: AvailableForm): InlineForm {
  return {
    id,
    title,
    fields: fields.map(({ key, label, type, required, options }) => ({
      key,
      label,
      type,
      required,
      ...(type === 'select' ? { options: options ?? [] } : {}),
    })),
  };
}
