import { notFound } from '@heliograph/errors';
import type { EntityManager } from 'typeorm';
import { Bot } from './entities/bot.entity';

/** Identifies the bot. A bot of another organization or workspace is NOT_FOUND, like a bot that does not exist. */
export interface BotKey {
  organizationId: string;
  workspaceId: string;
  publicId: string;
}

/** Throws NOT_FOUND. */
export function readBot(manager: EntityManager, key: BotKey): Promise<Bot> {
  return find(manager, key, false);
}

/**
 * Returns the bot, locked until the transaction ends. Every write to a bot or its content takes this lock first, so
 * that version numbers, item counts and the search index have one writer at a time. Throws NOT_FOUND.
 */
export function lockBot(transaction: EntityManager, key: BotKey): Promise<Bot> {
  return find(transaction, key, true);
}

async function find(
  manager: EntityManager,
  { organizationId, workspaceId, publicId }: BotKey,
  isLocked: boolean,
): Promise<Bot> {
  // PostgreSQL rejects text that contains NUL.
  const bot = publicId.includes('\0')
    ? null
    : await manager.findOne(Bot, {
        where: { organizationId, workspaceId, publicId },
        ...(isLocked ? { lock: { mode: 'pessimistic_write' } } : {}),
      });
  if (!bot) throw notFound('bot');
  return bot;
}
