import { createHash } from 'node:crypto';
import { ARTICLES, BotCatalogService, BotContentService, FAQS } from '@heliograph/bot-catalog';
import { botEntities } from '@heliograph/bot-conversations';
import { benchWorkspaces, withSeedConnection, type BenchWorkspace } from '@heliograph/harness';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { BENCH_BOT, benchConversation } from '../../calls/bot-calls';
import { articles, FAQ_COUNT, faqText, type FaqText } from './content';

const ARTICLES_PER_WRITE = 250;
const SMALL_FAQ_COUNT = 10;

/** Creates a large bot for the first organization of a seeded database, and conversations with it. */
export async function seedBot(databaseUrl: string, conversations: number): Promise<void> {
  await withSeedConnection(databaseUrl, botEntities, async (dataSource, pool) => {
    const [workspace] = await benchWorkspaces(pool, 1);
    if (!workspace) return;
    await createBot(dataSource, workspace, {
      publicId: BENCH_BOT,
      faqs: Array.from({ length: FAQ_COUNT }, (_, number) => faqText(number)),
      articles: [...articles()],
    });
    await startConversations(pool, conversations);
    await createReferenceTables(pool);
    // As autovacuum does in a long-running deployment.
    await pool.query('VACUUM ANALYZE');
  });
}

/** Creates a bot with a few FAQs for the second organization of a seeded database. */
export async function seedSmallBot(databaseUrl: string, publicId: string): Promise<void> {
  await withSeedConnection(databaseUrl, botEntities, async (dataSource, pool) => {
    const [, workspace] = await benchWorkspaces(pool, 2);
    if (!workspace) return;
    const faqs = Array.from({ length: SMALL_FAQ_COUNT }, (_, number) => faqText(number));
    await createBot(dataSource, workspace, { publicId, faqs, articles: [] });
  });
}

interface BotContent {
  publicId: string;
  faqs: FaqText[];
  articles: { title: string; body: string }[];
}

async function createBot(dataSource: DataSource, workspace: BenchWorkspace, bot: BotContent): Promise<void> {
  const catalog = new BotCatalogService();
  const content = new BotContentService();
  const { publicId } = bot;
  const key = { ...workspace, publicId };
  await dataSource.transaction((t) => catalog.create(t, workspace, { publicId, name: 'Bench Help' }));
  await dataSource.transaction((t) => content.put(t, key, FAQS, bot.faqs, 'faqs'));
  for (let start = 0; start < bot.articles.length; start += ARTICLES_PER_WRITE) {
    const batch = bot.articles.slice(start, start + ARTICLES_PER_WRITE);
    await dataSource.transaction((t) => content.put(t, key, ARTICLES, batch, 'knowledge'));
  }
  await dataSource.transaction((t) => catalog.publish(t, key, {}));
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
