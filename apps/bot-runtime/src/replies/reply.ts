import type { AvailableBot, BotFaq } from '@heliograph/bot-catalog';
import type { InlineForm, QuickReply } from '@heliograph/bot-conversations';
import type { Finding, Question } from '@heliograph/bot-search';

/** A client's request beside, or instead of, a text. */
export type Action = { type: 'shortcut'; id: string; command: string } | { type: 'faq'; id: string };

/** The visitor's input in this turn. */
export type TurnInput =
  { kind: 'message'; text: string; action: Action | null; isOpening: boolean } | { kind: 'submission'; formId: string };

/** The engine's state between turns; stored with the conversation. */
export interface EngineState {
  /** Public ids of recently answered FAQs, newest last, which are not suggested again. */
  answered?: string[];
  /** Consecutive turns without a finding. */
  missed?: number;
  /** Public ids of submitted forms, which keywords do not trigger again. */
  submitted?: string[];
  /** Whether the last reply offered a person, so that a yes requests one. */
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
  /** Null when no model is configured or allowed, or it has no answer. */
  askModel(question: ModelQuestion, options?: ModelOptions): Promise<ModelAnswer | null>;
  /** True: a model is available, so more context is looked up; false: it is not called; undefined: it is called. */
  hasModel?: boolean;
}

export interface ModelOptions {
  /** Gets the answer in parts while it is generated. The final answer supersedes them. */
  onDelta?: (text: string) => void;
  /** Aborted when the client has disconnected. */
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
