import { AppError } from '@heliograph/errors';
import type { EntityManager } from 'typeorm';
import { Bot } from './entities/bot.entity';

/** Which bot is meant. Another organization's, or another workspace's, is NOT_FOUND like one that is not there. */
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
 * The bot, locked until the transaction ends: whoever writes something of it comes through here, so that its numbers,
 * its counts and its search index follow one writer at a time. Throws NOT_FOUND.
 */
export function lockBot(transaction: EntityManager, key: BotKey): Promise<Bot> {
  return find(transaction, key, true);
}

async function find(
  manager: EntityManager,
  { organizationId, workspaceId, publicId }: BotKey,
  isLocked: boolean,
): Promise<Bot> {
  // A text with a NUL in it is none that PostgreSQL can look for.
  const bot = publicId.includes('\0')
    ? null
    : await manager.findOne(Bot, {
        where: { organizationId, workspaceId, publicId },
        ...(isLocked ? { lock: { mode: 'pessimistic_write' } } : {}),
      });
  if (!bot) throw new AppError('NOT_FOUND', 'There is no such bot.');
  return bot;
}
