import { maintainWeeklyPartitions, newId, partitionsMigrations } from '@heliograph/database';
import { messagingMigrations } from '@heliograph/messaging';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { Pool } from 'pg';
import { Clock } from '../clock';
import { webhooksMigrations } from '../migration-set';
import { EventLog, type FeedPage } from './event-log';

const LARGE = 60_000;

interface ExplainedPlan {
  'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }];
}

describe('a page of the event feed', () => {
  let database: TestDatabase;
  let pool: Pool;
  let log: EventLog;
  beforeAll(async () => {
    database = await createTestDatabase([partitionsMigrations, messagingMigrations, webhooksMigrations]);
    pool = new Pool({ connectionString: database.url, max: 4 });
    await maintainWeeklyPartitions(pool, { table: 'webhooks.events', retentionDays: 30 });
    log = new EventLog(pool, new Clock());
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** Stores `count` events with a body of `bytes` bytes that does not compress. Every hundredth is `sms.failed`. */
  async function store(count: number, bytes: number, organizationId = newId()): Promise<string> {
    await pool.query(
      `INSERT INTO webhooks.events (id, organization_id, sequence, type, body)
       SELECT webhooks.new_id(now()), $1, n, CASE WHEN n % 100 = 0 THEN 'sms.failed' ELSE 'sms.sent' END,
         json_build_object('n', n, 'text', left(t.text, $3))
       FROM generate_series(1, $2::integer) AS n, LATERAL (
         SELECT string_agg(md5(random()::text || n || m), '') AS text FROM generate_series(0, $3::integer / 32) AS m) AS t`,
      [organizationId, count, bytes],
    );
    return organizationId;
  }

  const read = (organizationId: string, limit: number, after: bigint | null = null, types = ['*']): Promise<FeedPage> =>
    log.read(organizationId, { after, types, workspaceId: null, limit });

  const numbersOf = ({ events }: FeedPage) => (JSON.parse(events) as { n: number }[]).map(({ n }) => n);

  async function readAll(organizationId: string, limit: number, types = ['*']) {
    const pages: FeedPage[] = [];
    do pages.push(await read(organizationId, limit, pages.at(-1)?.next ?? null, types));
    while (pages.at(-1)?.hasMore);
    return pages;
  }

  /** The blocks of 8 kB that a page of one event reads. */
  async function blocksOf(organizationId: string, types: string): Promise<number> {
    const { rows } = await pool.query<ExplainedPlan>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
       SELECT * FROM webhooks.read_feed($1, NULL, ARRAY[$2], NULL, 1, 5000, 1000000)`,
      [organizationId, types],
    );
    const { Plan } = rows[0]!['QUERY PLAN'][0];
    return Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
  }

  it('reads only the bodies of the events that it returns', async () => {
    const organizationId = await store(300, LARGE);
    await blocksOf(organizationId, '*');
    expect(await blocksOf(organizationId, '*')).toBeLessThan(100);
    // Examines 100 events and reads one body; 100 bodies have 750 blocks.
    expect(await blocksOf(organizationId, 'sms.failed')).toBeLessThan(250);
  });

  it('has at most 1 MB of events, and all pages together have every event once, in order', async () => {
    const organizationId = await store(100, LARGE);
    const pages = await readAll(organizationId, 100);
    for (const page of pages) {
      expect(numbersOf(page).length).toBeGreaterThan(0);
      expect(Buffer.byteLength(page.events)).toBeLessThanOrEqual(1_001_000);
    }
    expect(pages.flatMap(numbersOf)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
    expect(pages.length).toBeLessThan(8);
  });

  it('has an event of an earlier release that alone is larger', async () => {
    const organizationId = await store(3, 1_500_000);
    expect((await readAll(organizationId, 10)).map(numbersOf)).toEqual([[1], [2], [3]]);
  });

  it.each([1, 7, 100])(
    'has `limit` events (%i), without gaps across pages, with and without a filter',
    async (limit) => {
      const organizationId = await store(250, 10);
      const pages = await readAll(organizationId, limit);
      expect(pages.flatMap(numbersOf)).toEqual(Array.from({ length: 250 }, (_, n) => n + 1));
      expect(pages).toHaveLength(Math.ceil(250 / limit));
      expect((await readAll(organizationId, limit, ['sms.failed'])).flatMap(numbersOf)).toEqual([100, 200]);
    },
  );

  it('examines at most 5,000 events, and continues after them', async () => {
    const organizationId = await store(5_100, 10);
    const first = await read(organizationId, 10, null, ['email.sent']);
    expect(first).toEqual({ events: '[]', next: 5_000n, hasMore: true });
    expect(await read(organizationId, 10, first.next, ['email.sent'])).toEqual({
      events: '[]',
      next: 5_100n,
      hasMore: false,
    });
  });

  it('is empty and keeps the cursor if there are no later events', async () => {
    expect(await read(newId(), 10)).toEqual({ events: '[]', next: null, hasMore: false });
    expect(await read(await store(3, 10), 10, 3n)).toEqual({ events: '[]', next: 3n, hasMore: false });
  });
});

describe('the event log', () => {
  let database: TestDatabase;
  let pool: Pool;
  let log: EventLog;
  beforeAll(async () => {
    database = await createTestDatabase([partitionsMigrations, messagingMigrations, webhooksMigrations]);
    pool = new Pool({ connectionString: database.url, max: 6 });
    await maintainWeeklyPartitions(pool, { table: 'webhooks.events', retentionDays: 30 });
    log = new EventLog(pool, new Clock());
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** Organizations whose events are stored in the same commit. */
  const [locked, other] = ['01890000-0000-7000-8000-0000000000a0', '01890000-0000-7000-8000-0000000000b0'] as const;
  const append = (organizationId: string): Promise<void> =>
    log.append({
      sourceId: newId(),
      type: 'sms.sent',
      time: new Date(),
      organizationId,
      workspaceId: null,
      subjectId: null,
      data: {},
    });

  it('stores the event of an organization while a row of another one is locked', async () => {
    await append(locked);
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM webhooks.streams WHERE organization_id = $1 FOR UPDATE', [locked]);
    const waiting = append(locked);
    const free = append(other);
    const failed = expect(waiting).rejects.toMatchObject({ code: '55P03' });
    await free;
    await failed;
    await client.query('COMMIT');
    client.release();
    await append(locked);
    const { rows } = await pool.query(
      'SELECT organization_id AS id, last_sequence AS last FROM webhooks.streams ORDER BY 1',
    );
    expect(rows).toEqual([
      { id: locked, last: '2' },
      { id: other, last: '1' },
    ]);
  });
});
