import type { EventEnvelope } from '@heliograph/contracts';
import type { BotChannel, ClientContext } from './entities/conversation.entity';
import type { InlineForm, QuickReply } from './entities/message.entity';

/** One turn to record; names are those of the schema's `bots.turn`. */
export interface TurnRow {
  conversation_id: string;
  /** Of a turn that begins its conversation; null: it is there. */
  start: StartRow | null;
  /** What the conversation was when the reply was made; null with `start`. */
  expected_seq: number | null;
  expected_revision: number | null;
  /** RFC 3339 */
  at: string;
  /** What the visitor said; null for a start without a message. */
  question: QuestionRow | null;
  reply: ReplyRow | null;
  /** Of the reply engine, from now on; null: as it was. */
  state: Record<string, unknown> | null;
  is_handoff: boolean;
  submission: SubmissionRow | null;
  contact: ContactRow | null;
  /** What is told whenever the turn is recorded. */
  question_events: EventEnvelope[];
  /** What is told when the bot has answered as well. `lead.captured` gets its contact on the way. */
  reply_events: EventEnvelope[];
  endpoint: string | null;
  idempotency_key: string | null;
  fingerprint: string | null;
}

export interface StartRow {
  organization_id: string;
  workspace_id: string;
  bot_id: string;
  version_id: string;
  /** SHA-256, hex */
  token_hash: string;
  channel: BotChannel;
  client: ClientContext;
}

export interface QuestionRow {
  id: string;
  content: string;
  content_type: 'text' | 'form';
  metadata: Record<string, unknown>;
}

export interface ReplyRow {
  id: string;
  content: string;
  content_type: 'text' | 'form';
  metadata: Record<string, unknown>;
  quick_replies: QuickReply[] | null;
  form: InlineForm | null;
}

export interface SubmissionRow {
  id: string;
  form_id: string;
  form_title: string;
  answers: { key: string; label: string; value: string | number }[];
}

export interface ContactRow {
  /** Of the contact that is made when nobody is known by these. */
  id: string;
  name: string | null;
  /** In small letters. */
  email: string | null;
  phone: string | null;
}

/** See `bots.record_turns`. */
export type TurnOutcome = 'recorded' | 'paused' | 'closed' | 'moved' | 'repeated' | 'unknown';

/** What is stored as the answer to an Idempotency-Key: enough to make the first answer again. */
export interface StoredTurn {
  questionId: string | null;
  replyId: string | null;
  submissionId: string | null;
  paused: boolean;
}
