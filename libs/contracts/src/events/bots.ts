import { z } from 'zod';
import { defineEvent } from '../event-contract';

const conversation = {
  conversationId: z.uuid(),
  /** Public id of the bot. */
  botId: z.string(),
  channel: z.string(),
};

/** A visitor started a conversation. */
export const botConversationStarted = defineEvent({
  type: 'bot.conversation.started',
  version: 1,
  mandatory: false,
  schema: z.object({
    ...conversation,
    client: z.record(z.string(), z.unknown()),
    occurredAt: z.string(),
  }),
});

/** A visitor sent a message. */
export const botMessageReceived = defineEvent({
  type: 'bot.message.received',
  version: 1,
  mandatory: false,
  schema: z.object({
    ...conversation,
    messageId: z.uuid(),
    content: z.string(),
    contentType: z.enum(['text', 'form']),
    occurredAt: z.string(),
  }),
});

/** A visitor requested an agent. */
export const botHandoffRequested = defineEvent({
  type: 'bot.handoff.requested',
  version: 1,
  mandatory: false,
  schema: z.object({ ...conversation, messageId: z.uuid(), content: z.string(), occurredAt: z.string() }),
});

/** The visitor or an agent ended the conversation. */
export const botConversationEnded = defineEvent({
  type: 'bot.conversation.ended',
  version: 1,
  mandatory: false,
  schema: z.object({ ...conversation, endedBy: z.enum(['visitor', 'agent']), occurredAt: z.string() }),
});

/** A conversation changed (agent message, status, take-over); clients that display it must reload it. */
export const botConversationChanged = defineEvent({
  type: 'bot.conversation.changed',
  version: 1,
  mandatory: false,
  schema: z.object({ conversationId: z.uuid() }),
});

/** A visitor submitted a form of a bot. */
export const leadCaptured = defineEvent({
  type: 'lead.captured',
  version: 1,
  mandatory: false,
  schema: z.object({
    submissionId: z.uuid(),
    conversationId: z.uuid(),
    /** Public ids of the bot and the form. */
    botId: z.string(),
    formId: z.string(),
    contactId: z.uuid().nullable(),
    answers: z.array(z.object({ key: z.string(), label: z.string(), value: z.union([z.string(), z.number()]) })),
    occurredAt: z.string(),
  }),
});
