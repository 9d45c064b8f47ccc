import { setTimeout as delay } from 'node:timers/promises';
import { botEntities, manageConversation, sayAsAgent, type InboxChanges } from '@heliograph/bot-conversations';
import { createDataSource, databaseSettings } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { DataSource, EntityManager } from 'typeorm';
import { pick } from '../random';
import type { Chat } from './chat-records';

const AGENTS = 3;
const PAUSE_MS = 250;
const GIVE_UP_MS = 120_000;
const CLOSED_SHARE = 0.15;

/** What a person has said. */
export interface Said {
  conversationId: string;
  content: string;
  /** 'maybe': the database went away before it said so. */
  outcome: 'said' | 'refused' | 'maybe';
}

/** People of the inbox: they take conversations over, write, give them back to the bot, and close some. */
export class Agents {
  readonly said: Said[] = [];
  readonly problems: string[] = [];
  takeOvers = 0;
  private running = true;
  private number = 0;
  private readonly lives: Promise<void>[];

  private constructor(
    private readonly dataSource: DataSource,
    private readonly chats: () => readonly Chat[],
  ) {
    this.lives = Array.from({ length: AGENTS }, () => this.live());
  }

  static async begin(databaseUrl: string, chats: () => readonly Chat[]): Promise<Agents> {
    const settings = databaseSettings.parse({ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: AGENTS });
    return new Agents(await createDataSource(settings, 'chaos agents', botEntities).initialize(), chats);
  }

  /** Resolves when every conversation is the bot's again, but for those that are closed. */
  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.lives);
    await this.dataSource.destroy();
  }

  private async live(): Promise<void> {
    while (this.running) {
      await this.pause();
      const recent = this.chats().filter(({ isOver }) => !isOver);
      if (recent.length > 0) await this.attend(pick(recent).id);
    }
  }

  private async attend(conversationId: string): Promise<void> {
    await this.manage(conversationId, { isTakenOver: true });
    this.takeOvers++;
    for (let left = Math.ceil(Math.random() * 3); left > 0; left--) {
      await this.pause();
      await this.say(conversationId);
    }
    await this.pause();
    if (Math.random() < CLOSED_SHARE) {
      await this.manage(conversationId, { status: 'closed' });
      if (Math.random() < 0.5) return;
      await this.pause();
      await this.manage(conversationId, { status: 'open' });
    }
    await this.manage(conversationId, { isTakenOver: false });
  }

  /** The same once more changes nothing: it is tried until it is answered. */
  private async manage(conversationId: string, changes: InboxChanges): Promise<void> {
    for (const deadline = Date.now() + GIVE_UP_MS; Date.now() < deadline; await delay(200)) {
      const write = (transaction: EntityManager) =>
        manageConversation(transaction, { conversationId, correlationId: null }, changes);
      if (await this.dataSource.transaction(write).catch(() => null)) return;
    }
    this.problems.push(`the conversation ${conversationId} could not be managed in two minutes`);
  }

  private async say(conversationId: string): Promise<void> {
    const content = `A person’s ${++this.number}th word`;
    const said: Said = { conversationId, content, outcome: 'maybe' };
    this.said.push(said);
    try {
      await this.dataSource.transaction((transaction) =>
        sayAsAgent(transaction, { conversationId, correlationId: null }, { content, agentName: 'Ada' }),
      );
      said.outcome = 'said';
    } catch (error) {
      if (error instanceof AppError) said.outcome = 'refused';
    }
  }

  private pause(): Promise<void> {
    return delay(Math.random() * 2 * PAUSE_MS);
  }
}
