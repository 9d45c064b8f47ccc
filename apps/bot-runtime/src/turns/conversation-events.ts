import {
  botConversationStarted,
  botHandoffRequested,
  botMessageReceived,
  leadCaptured,
  type EventEnvelope,
} from '@heliograph/contracts';
import type { ClientContext, QuestionRow, SubmissionRow } from '@heliograph/bot-conversations';
import { composeEvent } from '@heliograph/messaging';

/** Common data of all conversation events. */
export interface EventSource {
  conversationId: string;
  organizationId: string;
  workspaceId: string;
  /** Public id of the bot. */
  botId: string;
  channel: string;
  correlationId: string;
  /** RFC 3339 */
  occurredAt: string;
}

const envelopeOf = ({ organizationId, workspaceId, correlationId }: EventSource) => ({
  organizationId,
  workspaceId,
  correlationId,
});

const factsOf = ({ conversationId, botId, channel, occurredAt }: EventSource) => ({
  conversationId,
  botId,
  channel,
  occurredAt,
});

export function startedEvent(source: EventSource, client: ClientContext): EventEnvelope {
  return composeEvent(botConversationStarted, {
    ...envelopeOf(source),
    data: { ...factsOf(source), client: { ...client } },
  });
}

export function messageEvent(source: EventSource, question: QuestionRow): EventEnvelope {
  const { id: messageId, content, content_type: contentType } = question;
  return composeEvent(botMessageReceived, {
    ...envelopeOf(source),
    data: { ...factsOf(source), messageId, content, contentType },
  });
}

export function handoffEvent(source: EventSource, { id: messageId, content }: QuestionRow): EventEnvelope {
  return composeEvent(botHandoffRequested, {
    ...envelopeOf(source),
    data: { ...factsOf(source), messageId, content },
  });
}

/** The contact is added when the turn is recorded. */
export function leadEvent(source: EventSource, { id: submissionId, form_id: formId, answers }: SubmissionRow) {
  const { conversationId, botId, occurredAt } = source;
  return composeEvent(leadCaptured, {
    ...envelopeOf(source),
    data: { submissionId, conversationId, botId, formId, contactId: null, answers, occurredAt },
  });
}
