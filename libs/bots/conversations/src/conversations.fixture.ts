import { Bot } from '@heliograph/bot-catalog';
import { createDataSource, databaseConfigSchema, newId, poolOf } from '@heliograph/database';
import { idempotencyMigrations } from '@heliograph/idempotency';
import { messagingMigrations } from '@heliograph/messaging';
import { createTestDatabase, unique, type TestDatabase } from '@heliograph/testing';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { Conversation } from './entities/conversation.entity';
import { botEntities, botMigrations } from './migration-set';
import { recordTurns } from './record-turns';
import type { TurnRow } from './rows';
import { readTranscript, type StoredMessage } from './transcript';

export interface TestEvent {
  type: string;
  data: Record<string, unknown>;
}

/** The bots schema on a separate database with one bot, and helpers to record turns. */
export class ConversationsFixture {
  readonly botId = newId();
  readonly publicId = `bot_${unique()}`;
  readonly organizationId = newId();
  readonly workspaceId = newId();

  private constructor(
    readonly database: TestDatabase,
    readonly dataSource: DataSource,
    readonly pool: Pool,
  ) {}

  static async start(): Promise<ConversationsFixture> {
    const database = await createTestDatabase([messagingMigrations, idempotencyMigrations, botMigrations]);
    const settings = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 8 });
    const dataSource = await createDataSource(settings, 'conversations fixture', botEntities).initialize();
    const fixture = new ConversationsFixture(database, dataSource, poolOf(dataSource));
    const { botId: id, publicId, organizationId, workspaceId } = fixture;
    await dataSource.manager.insert(Bot, { id, publicId, organizationId, workspaceId, name: 'Bot', slug: unique() });
    return fixture;
  }

  async stop(): Promise<void> {
    await this.dataSource.destroy();
    await this.database.drop();
  }

  /** Returns a turn with a question and a reply, by default at the beginning of the conversation. */
  turn(conversationId: string, more: Partial<TurnRow> = {}): TurnRow {
    return {
      conversation_id: conversationId,
      start: null,
      expected_seq: 0,
      expected_revision: 0,
      at: new Date().toISOString(),
      correlation_id: null,
      client_address: null,
      question: { id: newId(), content: 'Question', content_type: 'text', metadata: {} },
      reply: {
        id: newId(),
        content: 'Reply',
        content_type: 'text',
        metadata: { author: 'bot' },
        quick_replies: null,
        form: null,
      },
      state: { missed: 1 },
      is_handoff: false,
      submission: null,
      contact: null,
      question_events: [this.event('question')],
      reply_events: [this.event('reply')],
      endpoint: null,
      idempotency_key: null,
      fingerprint: null,
      ...more,
    };
  }

  /** Creates a conversation without a message. */
  async conversation(changes: Partial<Conversation> = {}, workspaceId = this.workspaceId): Promise<string> {
    const id = newId();
    const start = { ...this.start(), workspace_id: workspaceId };
    await this.record(this.turn(id, { start, question: null, reply: null, question_events: [], reply_events: [] }));
    if (Object.keys(changes).length > 0) await this.dataSource.manager.update(Conversation, { id }, changes as object);
    return id;
  }

  start(): NonNullable<TurnRow['start']> {
    return {
      organization_id: this.organizationId,
      workspace_id: this.workspaceId,
      bot_id: this.botId,
      version_id: newId(),
      token_hash: Buffer.from(unique().padEnd(32, '0').slice(0, 32)).toString('hex'),
      channel: 'web',
      client: { language: 'en' },
    };
  }

  event(name: string): TurnRow['question_events'][number] {
    const { organizationId, workspaceId } = this;
    return {
      id: newId(),
      type: `test.${name}`,
      version: 1,
      time: new Date().toISOString(),
      organizationId,
      workspaceId,
      correlationId: null,
      data: { name },
    };
  }

  async record(row: TurnRow): Promise<string | undefined> {
    return (await recordTurns(this.pool, [row]))[0];
  }

  stored(id: string): Promise<Conversation> {
    return this.dataSource.manager.findOneByOrFail(Conversation, { id });
  }

  messages(id: string): Promise<StoredMessage[]> {
    return readTranscript(this.pool, id, 0, 1_000);
  }

  /** Removes and returns the events in the outbox. */
  async events(): Promise<TestEvent[]> {
    return this.database.query<TestEvent>(
      `WITH d AS (DELETE FROM messaging.outbox RETURNING type, payload->'data' AS data, id)
       SELECT type, data FROM d ORDER BY id`,
    );
  }
}
