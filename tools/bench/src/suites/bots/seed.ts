import { createHash } from 'node:crypto';
import { ARTICLES, BotCatalogService, BotContentService, FAQS, type BotHome } from '@heliograph/bot-catalog';
import { botEntities } from '@heliograph/bot-conversations';
import { createDataSource, databaseSettings } from '@heliograph/database';
import { BENCH_BOT, benchConversation } from '../../calls/bot-calls';
import { articles, FAQ_COUNT, faqText } from './content';

const ARTICLES_AT_ONCE = 250;

/** Gives the first organization of a seeded database a bot that knows much, and visitors who have begun to talk to it. */
export async function seedBot(databaseUrl: string, conversations: number): Promise<void> {
  const settings = databaseSettings.parse({
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: 2,
    DATABASE_STATEMENT_TIMEOUT_MS: 120_000,
  });
  const dataSource = await createDataSource(settings, 'bench seed', botEntities).initialize();
  const [catalog, content] = [new BotCatalogService(), new BotContentService()];
  const [home] = await dataSource.query<BotHome[]>(
    'SELECT organization_id AS "organizationId", id AS "workspaceId" FROM tenancy.workspaces ORDER BY id LIMIT 1',
  );
  if (!home) throw new Error('there is no workspace');
  const key = { ...home, publicId: BENCH_BOT };
  await dataSource.transaction((t) => catalog.create(t, home, { publicId: BENCH_BOT, name: 'Bench Help' }));
  const faqs = Array.from({ length: FAQ_COUNT }, (_, number) => faqText(number));
  await dataSource.transaction((t) => content.put(t, key, FAQS, faqs, 'faqs'));
  const all = [...articles()];
  for (let at = 0; at < all.length; at += ARTICLES_AT_ONCE) {
    const some = all.slice(at, at + ARTICLES_AT_ONCE);
    await dataSource.transaction((t) => content.put(t, key, ARTICLES, some, 'knowledge'));
  }
  await dataSource.transaction((t) => catalog.publish(t, key, {}));
  const begun = Array.from({ length: conversations }, (_, index) => benchConversation(index));
  await dataSource.query(
    `INSERT INTO bots.conversations (id, organization_id, workspace_id, bot_id, version_id, token_hash, channel)
     SELECT c.id, b.organization_id, b.workspace_id, b.id, v.id, decode(c.hash, 'hex'), 'web'
     FROM unnest($1::uuid[], $2::text[]) AS c (id, hash), bots.bots AS b JOIN bots.versions AS v ON v.bot_id = b.id`,
    [begun.map(({ id }) => id), begun.map(({ token }) => createHash('sha256').update(token).digest('hex'))],
  );
  // For the yardstick.
  await dataSource.query(`
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
  // As autovacuum would have it after a while.
  await dataSource.query('VACUUM ANALYZE');
  await dataSource.destroy();
}
