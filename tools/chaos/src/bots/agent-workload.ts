import { pick, upTo } from '@heliograph/bench-data';
import { botEntities, manageConversation, sayAsAgent, type InboxChanges } from '@heliograph/bot-conversations';
import { createDataSource, databaseConfigSchema } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { poll } from '@heliograph/harness';
import type { DataSource, EntityManager } from 'typeorm';
import { GIVE_UP_MS } from '../call';
import { Workload } from '../workload';
import type { VisitorConversation } from './visitor-conversation';

const LANES = 3;
const MAX_PAUSE_MS = 500;
const MAX_MESSAGES = 3;
const CLOSED_SHARE = 0.15;

export interface AgentMessage {
  conversationId: string;
  content: string;
  /** 'unknown': the database connection was lost before the outcome was known. */
  outcome: 'stored' | 'refused' | 'unknown';
}

/** Agents of the inbox who take over conversations, write, return them to the bot, and close some. */
export class AgentWorkload extends Workload {
  readonly messages: AgentMessage[] = [];
  takeOvers = 0;
  private number = 0;

  private constructor(
    private readonly dataSource: DataSource,
    private readonly conversations: () => readonly VisitorConversation[],
  ) {
    super();
  }

  static async open(databaseUrl: string, conversations: () => readonly VisitorConversation[]): Promise<AgentWorkload> {
    const settings = databaseConfigSchema.parse({ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: LANES });
    const dataSource = await createDataSource(settings, 'chaos agents', botEntities).initialize();
    return new AgentWorkload(dataSource, conversations).start(LANES);
  }

  /** Resolves when every conversation that is not closed is returned to the bot. */
  override async stop(): Promise<void> {
    await super.stop();
    await this.dataSource.destroy();
  }

  protected async runOnce(): Promise<void> {
    await this.randomPause();
    const open = this.conversations().filter(({ isOver }) => !isOver);
    if (open.length > 0) await this.attend(pick(open).id);
  }

  private async attend(conversationId: string): Promise<void> {
    await this.manage(conversationId, { isTakenOver: true });
    this.takeOvers++;
    for (let remaining = upTo(MAX_MESSAGES); remaining > 0; remaining--) {
      await this.randomPause();
      await this.write(conversationId);
    }
    await this.randomPause();
    if (Math.random() < CLOSED_SHARE) {
      await this.manage(conversationId, { status: 'closed' });
      if (Math.random() < 0.5) return;
      await this.randomPause();
      await this.manage(conversationId, { status: 'open' });
    }
    await this.manage(conversationId, { isTakenOver: false });
  }

  /** Retries until it succeeds: the operation is idempotent. */
  private async manage(conversationId: string, changes: InboxChanges): Promise<void> {
    const write = (transaction: EntityManager) =>
      manageConversation(transaction, { conversationId, correlationId: null }, changes);
    const succeeded = await poll(async () => (await this.dataSource.transaction(write).catch(() => null)) !== null, {
      timeoutMs: GIVE_UP_MS,
      everyMs: 200,
    });
    if (!succeeded) this.problems.push(`conversation ${conversationId} could not be changed by an agent`);
  }

  private async write(conversationId: string): Promise<void> {
    const content = `Agent’s message ${++this.number}`;
    const message: AgentMessage = { conversationId, content, outcome: 'unknown' };
    this.messages.push(message);
    try {
      await this.dataSource.transaction((transaction) =>
        sayAsAgent(transaction, { conversationId, correlationId: null }, { content, agentName: 'Ada' }),
      );
      message.outcome = 'stored';
    } catch (error) {
      if (error instanceof AppError) message.outcome = 'refused';
    }
  }

  private randomPause(): Promise<void> {
    return this.pause(Math.random() * MAX_PAUSE_MS);
  }
}
