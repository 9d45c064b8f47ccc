import { createHash } from 'node:crypto';
import { ARTICLES, BotCatalogService, BotContentService, FAQS } from '@heliograph/bot-catalog';
import { botEntities } from '@heliograph/bot-conversations';
import { benchWorkspaces, withSeedConnection } from '@heliograph/harness';
import type { Pool } from 'pg';
import { BENCH_BOT, benchConversation } from '../../calls/bot-calls';
import { articles, FAQ_COUNT, faqText } from './content';

const ARTICLES_PER_WRITE = 250;

/** Creates a large bot for the first organization of a seeded database, and conversations with it. */
export async function seedBot(databaseUrl: string, conversations: number): Promise<void> {
  await withSeedConnection(databaseUrl, botEntities, async (dataSource, pool) => {
    const [catalog, content] = [new BotCatalogService(), new BotContentService()];
    const [workspace] = await benchWorkspaces(pool, 1);
    if (!workspace) return;
    const key = { ...workspace, publicId: BENCH_BOT };
    await dataSource.transaction((t) => catalog.create(t, workspace, { publicId: BENCH_BOT, name: 'Bench Help' }));
    const faqs = Array.from({ length: FAQ_COUNT }, (_, number) => faqText(number));
    await dataSource.transaction((t) => content.put(t, key, FAQS, faqs, 'faqs'));
    const all = [...articles()];
    for (let start = 0; start < all.length; start += ARTICLES_PER_WRITE) {
      const batch = all.slice(start, start + ARTICLES_PER_WRITE);
      await dataSource.transaction((t) => content.put(t, key, ARTICLES, batch, 'knowledge'));
    }
    await dataSource.transaction((t) => catalog.publish(t, key, {}));
    await startConversations(pool, conversations);
    await createReferenceTables(pool);
    // As autovacuum does in a long-running deployment.
    await pool.query('VACUUM ANALYZE');
  });
}

async function startConversations(pool: Pool, count: number): Promise<void> {
  const conversations = Array.from({ length: count }, (_, index) => benchConversation(index));
  await pool.query(
    `INSERT INTO bots.conversations (id, organization_id, workspace_id, bot_id, version_id, token_hash, channel)
     SELECT c.id, b.organization_id, b.workspace_id, b.id, v.id, decode(c.hash, 'hex'), 'web'
     FROM unnest($1::uuid[], $2::text[]) AS c (id, hash), bots.bots AS b JOIN bots.versions AS v ON v.bot_id = b.id`,
    [
      conversations.map(({ id }) => id),
      conversations.map(({ token }) => createHash('sha256').update(token).digest('hex')),
    ],
  );
}

async function createReferenceTables(pool: Pool): Promise<void> {
  await pool.query(`
    CREATE SCHEMA reference;
    CREATE TABLE reference.bot_items (text text NOT NULL, terms tsvector NOT NULL);
    INSERT INTO reference.bot_items (text, terms)
      SELECT answer, to_tsvector('english', question || ' ' || answer) FROM bots.faqs
      UNION ALL SELECT p, to_tsvector('english', p) FROM bots.articles, regexp_split_to_table(body, '\n\n') AS p;
    CREATE INDEX bot_items_terms ON reference.bot_items USING gin (terms);
    CREATE TABLE reference.bot_conversations (id uuid PRIMARY KEY, updated_at timestamptz);
    INSERT INTO reference.bot_conversations (id) SELECT id FROM bots.conversations;
    CREATE TABLE reference.bot_messages (id uuid PRIMARY KEY, conversation_id uuid NOT NULL, role text NOT NULL,
      content text NOT NULL, created_at timestamptz NOT NULL DEFAULT now())`);
}
