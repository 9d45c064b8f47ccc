import { z } from 'zod';
import { defineEvent } from '../event-contract';

const conversation = {
  conversationId: z.uuid(),
  /** The bot's public id. */
  botId: z.string(),
  channel: z.string(),
};

/** A visitor began to talk to a bot. */
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

/** A visitor said something. */
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

/** A visitor wants to talk to a person. */
export const botHandoffRequested = defineEvent({
  type: 'bot.handoff.requested',
  version: 1,
  mandatory: false,
  schema: z.object({ ...conversation, messageId: z.uuid(), content: z.string(), occurredAt: z.string() }),
});

/** A conversation was ended, by the visitor or by a person. */
export const botConversationEnded = defineEvent({
  type: 'bot.conversation.ended',
  version: 1,
  mandatory: false,
  schema: z.object({ ...conversation, endedBy: z.enum(['visitor', 'agent']), occurredAt: z.string() }),
});

/** Something of a conversation is new (a person's message, its status, who answers): whoever shows it reads it again. */
export const botConversationChanged = defineEvent({
  type: 'bot.conversation.changed',
  version: 1,
  mandatory: false,
  schema: z.object({ conversationId: z.uuid() }),
});
