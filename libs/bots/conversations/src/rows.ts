import type { EventEnvelope } from '@heliograph/contracts';
import type { BotChannel, ClientContext } from './entities/conversation.entity';
import type { InlineForm, QuickReply } from './entities/message.entity';

/** One turn to record; field names match the composite type `bots.turn`. */
export interface TurnRow {
  conversation_id: string;
  /** Set if the turn creates its conversation; null if the conversation exists. */
  start: StartRow | null;
  /** Version of the conversation from which the reply was computed; null with `start`. */
  expected_seq: number | null;
  expected_revision: number | null;
  /** RFC 3339 */
  at: string;
  /** The request that the turn belongs to, and the address of the visitor. */
  correlation_id: string | null;
  client_address: string | null;
  /** The message of the visitor; null for a start without a message. */
  question: QuestionRow | null;
  reply: ReplyRow | null;
  /** New state of the reply engine; null: unchanged. */
  state: Record<string, unknown> | null;
  is_handoff: boolean;
  submission: SubmissionRow | null;
  contact: ContactRow | null;
  /** Events published whenever the turn is recorded. */
  question_events: EventEnvelope[];
  /** Events published only if the reply is recorded too. The contact of `lead.captured` is added on insert. */
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
  /** SHA-256 in hexadecimal */
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
  /** Id of the contact if a new one is created. */
  id: string;
  name: string | null;
  /** Lower case. */
  email: string | null;
  phone: string | null;
}

/** See `bots.record_turns`. */
export type TurnOutcome = 'recorded' | 'paused' | 'closed' | 'moved' | 'repeated' | 'unknown';

/** The stored result of an Idempotency-Key: enough to build the first response again. */
export interface StoredTurn {
  questionId: string | null;
  replyId: string | null;
  submissionId: string | null;
  paused: boolean;
}
