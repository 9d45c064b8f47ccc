import { botConversationChanged, botConversationEnded } from '@heliograph/contracts';
import { clientOf, newId } from '@heliograph/database';
import { AppError, notFound } from '@heliograph/errors';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import type { EntityManager } from 'typeorm';
import { Bot } from '@heliograph/bot-catalog';
import { Conversation, type ConversationStatus } from './entities/conversation.entity';
import { ConversationMessage } from './entities/message.entity';

/** The caller of a change, and the request that it is part of. */
export interface ChangeContext {
  conversationId: string;
  correlationId: string | null;
}

/**
 * Ends a conversation for the visitor. Ending an ended conversation changes nothing. Throws CONVERSATION_CLOSED for a
 * closed or archived one.
 */
export async function endConversation(transaction: EntityManager, context: ChangeContext): Promise<Conversation> {
  const conversation = await locked(transaction, context.conversationId);
  if (conversation.status === 'ended') return conversation;
  if (conversation.status !== 'open') throw conversationClosed(conversation.status);
  return changed(transaction, context, conversation, { status: 'ended', endedAt: new Date(), endedBy: 'visitor' });
}

/** Reopens an ended conversation; its rating is kept. Throws CONVERSATION_CLOSED for a closed or archived one. */
export async function reopenConversation(transaction: EntityManager, context: ChangeContext): Promise<Conversation> {
  const conversation = await locked(transaction, context.conversationId);
  if (conversation.status === 'open') return conversation;
  if (conversation.status !== 'ended') throw conversationClosed(conversation.status);
  return changed(transaction, context, conversation, { status: 'open', endedAt: null, endedBy: null });
}

/** Stores the rating and feedback of the visitor, replacing an earlier rating. `rating` is 1 to 5. */
export async function rateConversation(
  transaction: EntityManager,
  context: ChangeContext,
  { rating, feedback }: { rating: number; feedback: string | null },
): Promise<Conversation> {
  const conversation = await locked(transaction, context.conversationId);
  return changed(transaction, context, conversation, { rating, feedback, feedbackAt: new Date() });
}

export interface InboxChanges {
  status?: Exclude<ConversationStatus, 'ended'>;
  isTakenOver?: boolean;
  /** The user id of the agent; null for an API key. */
  takenOverBy?: string | null;
}

/** A change by an agent: reopen, close, archive, take over, or return the conversation to the bot. */
export async function manageConversation(
  transaction: EntityManager,
  context: ChangeContext,
  { status, isTakenOver, takenOverBy = null }: InboxChanges,
): Promise<{ before: Conversation; after: Conversation }> {
  const before = await locked(transaction, context.conversationId);
  const changes: Partial<Conversation> = {};
  if (status !== undefined && status !== before.status) {
    changes.status = status;
    if (status === 'open') Object.assign(changes, { endedAt: null, endedBy: null });
    else if (before.endedAt === null) Object.assign(changes, { endedAt: new Date(), endedBy: 'agent' });
  }
  if (isTakenOver !== undefined && isTakenOver !== before.isTakenOver) {
    Object.assign(changes, { isTakenOver, takenOverBy: isTakenOver ? takenOverBy : null });
    // The take-over or return answers the hand-off request.
    changes.handoffRequestedAt = null;
  }
  if (Object.keys(changes).length === 0) return { before, after: before };
  return { before, after: await changed(transaction, context, { ...before }, changes) };
}

export interface AgentMessage {
  content: string;
  agentName: string;
  /** Null for a user of the console. */
  keyId?: string | null;
  clientAddress?: string | null;
}

/** Stores a message of an agent. Throws CONVERSATION_CLOSED unless the conversation is open. */
export async function sayAsAgent(
  transaction: EntityManager,
  context: ChangeContext,
  { content, agentName, keyId = null, clientAddress = null }: AgentMessage,
): Promise<ConversationMessage> {
  const conversation = await locked(transaction, context.conversationId);
  if (conversation.status !== 'open') throw conversationClosed(conversation.status);
  const at = new Date();
  const seq = conversation.lastSeq + 1;
  const message = transaction.create(ConversationMessage, {
    conversationId: conversation.id,
    seq,
    id: newId(),
    role: 'assistant',
    content,
    contentType: 'text',
    metadata: { author: 'agent', agentName },
    createdAt: at,
    correlationId: context.correlationId,
    keyId,
    clientAddress,
  });
  await transaction.insert(ConversationMessage, message as object);
  await transaction.update(Conversation, { id: conversation.id }, { lastSeq: seq, lastMessageAt: at, updatedAt: at });
  await publishChange(transaction, context, conversation);
  return message;
}

export function conversationClosed(status: ConversationStatus): AppError {
  return new AppError(
    'CONVERSATION_CLOSED',
    status === 'ended'
      ? 'The conversation has ended. Reopen it first.'
      : `The conversation is ${status}. Start a new one.`,
  );
}

async function locked(transaction: EntityManager, id: string): Promise<Conversation> {
  const conversation = await transaction.findOne(Conversation, { where: { id }, lock: { mode: 'pessimistic_write' } });
  if (!conversation) throw notFound('conversation');
  return conversation;
}

async function changed(
  transaction: EntityManager,
  context: ChangeContext,
  conversation: Conversation,
  changes: Partial<Conversation>,
): Promise<Conversation> {
  const wasOpen = conversation.status === 'open';
  const values = { ...changes, revision: conversation.revision + 1, updatedAt: new Date() };
  await transaction.update(Conversation, { id: conversation.id }, values as object);
  const after = Object.assign(conversation, values);
  await publishChange(transaction, context, after);
  if (wasOpen && after.status !== 'open') await publishEnd(transaction, context, after);
  return after;
}

async function publishChange(
  transaction: EntityManager,
  { correlationId }: ChangeContext,
  { id, organizationId, workspaceId }: Conversation,
): Promise<void> {
  const event = { organizationId, workspaceId, correlationId, data: { conversationId: id } };
  await addToOutbox(await clientOf(transaction), [composeEvent(botConversationChanged, event)]);
}

async function publishEnd(
  transaction: EntityManager,
  { correlationId }: ChangeContext,
  { id, organizationId, workspaceId, botId, channel, endedBy, updatedAt }: Conversation,
): Promise<void> {
  const bot = await transaction.findOne(Bot, { where: { id: botId }, select: { publicId: true } });
  // No event for a deleted bot, because the event contains the public id of the bot.
  if (!bot) return;
  const data = {
    conversationId: id,
    botId: bot.publicId,
    channel,
    endedBy: endedBy === 'agent' ? ('agent' as const) : ('visitor' as const),
    occurredAt: updatedAt.toISOString(),
  };
  await addToOutbox(await clientOf(transaction), [
    composeEvent(botConversationEnded, { organizationId, workspaceId, correlationId, data }),
  ]);
}
