import { botEntities } from '@heliograph/bot-conversations';
import { migrate, newId } from '@heliograph/database';
import { createTestDatabase, schemaDifferences, undoMigrations, until, type TestDatabase } from '@heliograph/testing';
import { botRuntime } from '../src/bot-runtime.service';
import { BotFixture } from './bot-fixture';

describe('the database schemas', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase(botRuntime.migrations);
  });
  afterEach(() => database.drop());

  it('match the entities', async () => {
    expect(await schemaDifferences(database.url, botEntities)).toEqual([]);
  });

  it('can be reverted completely and migrated again', async () => {
    expect(await undoMigrations(database.url, botRuntime.migrations)).toEqual([]);
    await migrate(database.url, botRuntime.migrations);
  });
});

describe('the retention of conversations', () => {
  it('deletes conversations without a recent message, but no other conversations and no leads', async () => {
    const bots = await BotFixture.start({ environment: { BOT_RETENTION_DAYS: '30' } });
    const {
      publicId,
      id: botId,
      organizationId,
      workspaceId,
    } = await bots.bot({
      forms: [{ id: 'lead', title: 'Lead', fields: [{ key: 'email', type: 'email' }] }],
    });
    const retained = await bots.chat(publicId, { message: 'Hi' });
    // 1,200 old conversations; only the last one has a recent message.
    await bots.rows(
      `INSERT INTO bots.conversations (id, organization_id, workspace_id, bot_id, version_id, token_hash, channel,
         last_message_at, last_seq)
       SELECT ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, $2, $3, $3, sha256(n::text::bytea), 'web',
         CASE WHEN n = 1200 THEN now() ELSE now() - interval '31 days' END, 1
       FROM generate_series(1, 1200) AS n`,
      [organizationId, workspaceId, botId],
    );
    await bots.rows(
      `INSERT INTO bots.messages (conversation_id, seq, id, role, content, content_type, created_at)
       SELECT id, 1, gen_random_uuid(), 'user', 'Hi', 'text', now() FROM bots.conversations WHERE last_seq = 1`,
    );
    await bots.rows(
      `INSERT INTO bots.submissions (id, organization_id, workspace_id, bot_id, conversation_id, form_id, form_title, answers)
       VALUES ($1, $2, $3, $4, '01900000-0000-7000-8000-000000000001', 'lead', 'Lead', '[]')`,
      [newId(), organizationId, workspaceId, botId],
    );
    const api = await bots.beside({ ROLE: 'api' });
    const conversations = async () =>
      (await bots.rows<{ id: string }>('SELECT id FROM bots.conversations')).map(({ id }) => id);
    expect(await conversations()).toHaveLength(1_201);
    await api.service.stop();
    const worker = await bots.beside({ ROLE: 'worker' });
    await until('the old conversations are deleted', async () => (await conversations()).length === 2);
    expect((await conversations()).sort()).toEqual(['01900000-0000-7000-8000-000000001200', retained.id].sort());
    expect(await bots.rows('SELECT 1 FROM bots.messages')).toHaveLength(3);
    expect(await bots.rows('SELECT 1 FROM bots.submissions')).toHaveLength(1);
    await worker.service.stop();
    await bots.stop();
  });
});
