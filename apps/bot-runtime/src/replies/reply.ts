import type { AvailableBot, BotFaq } from '@heliograph/bot-catalog';
import type { InlineForm, QuickReply } from '@heliograph/bot-conversations';
import type { Finding, Question } from '@heliograph/bot-search';

/** The action of a quick reply or a shortcut, sent with or instead of a text. */
export type Action = { type: 'shortcut'; id: string; command: string } | { type: 'faq'; id: string };

/**
 * The built-in FAQ that requests a person. The catalog accepts no id that starts with an underscore, so it is never the
 * id of an FAQ of the owner.
 */
export const PERSON_FAQ_ID = '_person';

/** The visitor's input in this turn. */
export type TurnInput =
  { kind: 'message'; text: string; action: Action | null; isOpening: boolean } | { kind: 'submission'; formId: string };

/** The engine's state between turns; stored with the conversation. */
export interface EngineState {
  /** Public ids of recently answered FAQs, newest last, which are not suggested again. */
  answered?: string[];
  /** Number of consecutive turns without an answer. */
  missed?: number;
  /** Public ids of submitted forms, which keywords do not trigger again. */
  submitted?: string[];
  /** Whether the last reply offered a person, so that the message yes requests a person. */
  offered?: 'handoff';
}

export interface Source {
  title: string;
  url?: string;
}

/** A reply before it has an id. */
export interface DraftReply {
  content: string;
  /** `via` is the step that answered; `sources` are the sources of the answer. */
  metadata: { author: 'bot'; via: ReplyStep; faqId?: string; sources?: Source[] };
  quickReplies: QuickReply[] | null;
  form: InlineForm | null;
}

export type ReplyStep =
  'action' | 'command' | 'form' | 'handoff' | 'small-talk' | 'faq' | 'knowledge' | 'model' | 'choices' | 'fallback';

export interface Replied {
  reply: DraftReply;
  state: EngineState;
  isHandoff: boolean;
}

/** An earlier message, for the prompt of the language model. */
export interface HistoryLine {
  role: 'user' | 'assistant';
  content: string;
}

/** The data sources of the engine. */
export interface ReplySources {
  faq(publicId: string): Promise<BotFaq | null>;
  find(question: Question): Promise<{ faqs: Finding[]; knowledge: Finding[] }>;
  /** The public URL of an article; null if there is none. */
  articleUrl(articleId: string): Promise<string | null>;
  /** Returns the answer of the language model; null if no model is configured or allowed, or if it has no answer. */
  askModel(question: ModelQuestion, options?: ModelOptions): Promise<ModelAnswer | null>;
  /** If true, a model is available and more passages are looked up. If false, the model is not called. If undefined, it is called. */
  hasModel?: boolean;
}

export interface ModelOptions {
  /** Receives the parts of the answer while it is generated. The final answer replaces the parts. */
  onDelta?: (text: string) => void;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal;
}

export interface ModelQuestion {
  bot: AvailableBot;
  text: string;
  history: HistoryLine[];
  /** The nearest passages of the bot's knowledge, the only basis of the answer. */
  passages: Finding[];
}

export interface ModelAnswer {
  text: string;
  /** The passages that the answer cites. */
  used: Finding[];
}
