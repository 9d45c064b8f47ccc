import type { AvailableBot, BotFaq } from '@heliograph/bot-catalog';
import type { InlineForm, QuickReply } from '@heliograph/bot-conversations';
import type { Finding, Question } from '@heliograph/bot-search';

/** What a client asks for beside, or instead of, its words. */
export type Action = { type: 'shortcut'; id: string; command: string } | { type: 'faq'; id: string };

/** What the visitor did in this turn. */
export type Asked =
  { kind: 'message'; text: string; action: Action | null; isOpening: boolean } | { kind: 'submission'; formId: string };

/** What the engine keeps from one turn to the next; stored with the conversation. */
export interface EngineState {
  /** Public ids of FAQs answered lately, newest last: what was just read is not suggested. */
  answered?: string[];
  /** Turns in a row that found nothing. */
  missed?: number;
  /** Public ids of forms that were filled in: keywords bring them up no more. */
  submitted?: string[];
  /** The last reply asked whether a person shall come: a yes calls one. */
  offered?: 'handoff';
}

export interface Source {
  title: string;
  url?: string;
}

/** A reply before it has an id. */
export interface DraftReply {
  content: string;
  /** `via` tells which step answered; `sources` what the answer stands on. */
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

/** One line of what was said before, for the language model. */
export interface HistoryLine {
  role: 'user' | 'assistant';
  content: string;
}

/** What the engine may look up. */
export interface ReplySources {
  faq(publicId: string): Promise<BotFaq | null>;
  find(question: Question): Promise<{ faqs: Finding[]; knowledge: Finding[] }>;
  /** Where an article can be read; null: nowhere public. */
  articleUrl(articleId: string): Promise<string | null>;
  /** Null: there is no model, the bot may not ask it, or nothing came of it. */
  askModel(question: ModelQuestion, options?: ModelOptions): Promise<ModelAnswer | null>;
  /** True: there is a model, and more is looked up for it; false: it is not asked; left out: it is asked. */
  hasModel?: boolean;
}

export interface ModelOptions {
  /** Gets the answer in parts while it is written. What comes of it in the end goes before them. */
  onDelta?: (text: string) => void;
  /** Aborted: nobody waits for the answer any more. */
  signal?: AbortSignal;
}

export interface ModelQuestion {
  bot: AvailableBot;
  text: string;
  history: HistoryLine[];
  /** What the bot knows that is nearest: the only ground of the answer. */
  passages: Finding[];
}

export interface ModelAnswer {
  text: string;
  /** Those of the passages that the answer names. */
  used: Finding[];
}
