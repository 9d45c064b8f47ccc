import type {
  ContactRow,
  QuestionRow,
  ReplyRow,
  StartRow,
  SubmissionRow,
  TurnRow,
} from '@heliograph/bot-conversations';
import { newId } from '@heliograph/database';
import type { Claim } from '@heliograph/idempotency';
import type { Replied } from '../replies/reply';
import { isWebChannel } from '../start/client-context';
import { handoffEvent, leadEvent, messageEvent, startedEvent, type EventSource } from './conversation-events';
import type { SaidMessage } from '../messages/message.dto';

/** The input for recording a turn. */
export interface TurnParts {
  source: EventSource;
  clientAddress: string | null;
  start: StartRow | null;
  expected: { seq: number; revision: number } | null;
  question: QuestionRow | null;
  replied: Replied | null;
  submission: SubmissionRow | null;
  contact: ContactRow | null;
  claim: Claim | null;
}

/** The row of a turn, with the events to publish. */
export function composeTurn(parts: TurnParts): TurnRow {
  const { source, clientAddress, start, expected, question, replied, submission, contact, claim } = parts;
  const isHandoff = replied?.isHandoff === true;
  return {
    conversation_id: source.conversationId,
    start,
    expected_seq: expected?.seq ?? null,
    expected_revision: expected?.revision ?? null,
    at: source.occurredAt,
    correlation_id: source.correlationId,
    client_address: isWebChannel(source.channel) ? clientAddress : null,
    question,
    reply: replied && replyRow(replied),
    state: replied && { ...replied.state },
    is_handoff: isHandoff,
    submission,
    contact,
    question_events: [
      ...(start ? [startedEvent(source, start.client)] : []),
      ...(question ? [messageEvent(source, question)] : []),
      ...(submission ? [leadEvent(source, submission)] : []),
    ],
    reply_events: isHandoff && question ? [handoffEvent(source, question)] : [],
    endpoint: claim?.endpoint ?? null,
    idempotency_key: claim?.key ?? null,
    fingerprint: claim?.fingerprint ?? null,
  };
}

function replyRow({ reply: { content, metadata, quickReplies, form } }: Replied): ReplyRow {
  return {
    id: newId(),
    content,
    content_type: 'text',
    metadata: { ...metadata },
    quick_replies: quickReplies?.length ? quickReplies : null,
    form,
  };
}

/**
 * Time between a question and its reply. The reply needs a later timestamp, because the schema sorts messages by time.
 */
const REPLY_AFTER_MS = 1;

/** Returns a message in the format of the API. */
export function saidMessage(role: SaidMessage['role'], row: QuestionRow | ReplyRow, at: string): SaidMessage {
  const reply = 'form' in row ? row : null;
  return {
    id: row.id,
    role,
    content: row.content,
    contentType: row.content_type,
    metadata: row.metadata,
    quickReplies: reply?.quick_replies ?? null,
    form: reply?.form ?? null,
    createdAt: new Date(Date.parse(at) + (role === 'assistant' ? REPLY_AFTER_MS : 0)),
  };
}
