import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { benchKey } from '@heliograph/bench-data';
import { createScratchDatabase, seed, untilReady } from '@heliograph/harness';
import { Client } from 'pg';
import type { Options } from '../options';
import { appendRow } from '../results';
import { GENERATED, generateRollups } from './generated-rollups';
import { numberOf, untilReached } from './queries';
import { removeQueues, serviceConfig, startService, type RunningService } from './service-config';

const TARGETS = { queryMs: 100, eventMicros: 100, reportMb: 150 };
const REPEATS = 25;
const EVENTS = 50_000;
const MAX_REPORT_MS = 600_000;

/** Queries over a year, or over 45 days by hour, in a zone whose hours and days are not those of UTC. */
const QUERIES = [
  'overview?interval=day',
  'overview?interval=month',
  'overview?interval=hour',
  'sms?interval=day&group_by=country',
  'sms?interval=day&group_by=template_id',
  'sms?interval=day&group_by=campaign_id',
  'sms?interval=month&group_by=error',
  'sms?interval=hour',
  'email?interval=day&group_by=domain',
  'email?interval=month&group_by=tag',
  'email?interval=hour&group_by=sender',
];
const DAYS = { hour: 45, day: 365, month: 365 };

/** Queries on the rollups of 50 million messages, the counting of events, and reports. */
export async function benchAnalytics(options: Options): Promise<string[]> {
  const database = await createScratchDatabase('heliograph_bench_analytics');
  await seed(database.url, 2);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ organization_id: string; id: string }>(
    'SELECT organization_id, id FROM tenancy.workspaces ORDER BY slug',
  );
  const [year, busy] = rows;
  if (!year || !busy) throw new Error('the benchmark needs two organizations');
  const generated = await generateRollups(client, year.organization_id, year.id);
  console.log(`${generated} rollups of ${GENERATED.messages} messages`);
  const config = {
    ...serviceConfig(database),
    MESSAGING_RATE_PER_MINUTE: '0',
    REPORTS_DIR: `/tmp/bench-reports-${process.pid}`,
  };
  const account = await startAccountApi(config);
  const slowest = await measureQueries(account);
  const micros = await measureCounting(client, account, busy.organization_id, busy.id);
  await account.process.stop();
  const reportRows = options.million ? 1_000_000 : 100_000;
  await storeMessages(client, busy.organization_id, busy.id, reportRows);
  const csvMb = await measureReport(config, 'csv', reportRows + EVENTS);
  const xlsxMb = await measureReport(config, 'xlsx', reportRows + EVENTS);

  await client.end();
  await database.drop();
  await rm(config.REPORTS_DIR, { recursive: true, force: true });
  await removeQueues(config);
  const missed = [
    ...(slowest > TARGETS.queryMs ? [`p95 of the slowest query: ${slowest.toFixed(0)} ms`] : []),
    ...(micros > TARGETS.eventMicros ? [`CPU of an event: ${micros.toFixed(0)} µs`] : []),
    ...(Math.max(csvMb, xlsxMb) > TARGETS.reportMb ? [`a report takes ${Math.max(csvMb, xlsxMb).toFixed(0)} MB`] : []),
  ];
  appendRow('Analytics', options, [
    String(generated),
    slowest.toFixed(0),
    micros.toFixed(0),
    String(reportRows),
    csvMb.toFixed(0),
    xlsxMb.toFixed(0),
    missed.length === 0 ? 'hold' : 'MISSED',
  ]);
  return missed;
}

/** The p95 of the slowest query, in milliseconds. */
async function measureQueries({ port }: RunningService): Promise<number> {
  let slowest = 0;
  for (const query of QUERIES) {
    const days = DAYS[/interval=(hour|day|month)/.exec(query)?.[1] as keyof typeof DAYS];
    const from = new Date(Date.now() - days * 86_400_000).toISOString();
    const url = `http://127.0.0.1:${port}/api/v1/analytics/${query}&time_zone=Asia/Kolkata&from=${from}`;
    const times: number[] = [];
    for (let repeat = 0; repeat <= REPEATS; repeat++) {
      const startedAt = performance.now();
      await call(url, benchKey(0));
      if (repeat > 0) times.push(performance.now() - startedAt);
    }
    times.sort((a, b) => a - b);
    const p50 = times[Math.floor(REPEATS / 2)] ?? 0;
    const p95 = times[Math.ceil(REPEATS * 0.95) - 1] ?? 0;
    console.log(`${query.padEnd(42)} p50 ${p50.toFixed(0)} ms  p95 ${p95.toFixed(0)} ms`);
    slowest = Math.max(slowest, p95);
  }
  return slowest;
}

/** Microseconds of CPU of the process for an event that it relays, consumes and counts. */
async function measureCounting(
  client: Client,
  { process }: RunningService,
  organizationId: string,
  workspaceId: string,
): Promise<number> {
  await storeMessages(client, organizationId, workspaceId, EVENTS);
  const before = process.cpuSeconds();
  const startedAt = performance.now();
  await client.query(
    `INSERT INTO messaging.outbox (id, type, payload)
     SELECT e.id, 'sms.delivered', messaging.event(e.id, 'sms.delivered', messaging.rfc3339(now()), organization_id, workspace_id,
       NULL, json_build_object('messageId', m.id, 'to', recipient, 'carrier', 'a', 'deliveredAt', messaging.rfc3339(now())))
     FROM sms.messages AS m CROSS JOIN LATERAL (SELECT gen_random_uuid() AS id WHERE m.id IS NOT NULL) AS e`,
  );
  await untilReached('counted messages', () => numberOf(client, 'SELECT count(*) FROM analytics.sms_counted'), EVENTS);
  const seconds = (performance.now() - startedAt) / 1_000;
  const micros = ((process.cpuSeconds() - before) / EVENTS) * 1_000_000;
  console.log(`${(EVENTS / seconds).toFixed(0)} events/s, ${micros.toFixed(0)} µs of CPU each, with the relay`);
  return micros;
}

async function storeMessages(
  client: Client,
  organizationId: string,
  workspaceId: string,
  count: number,
): Promise<void> {
  await client.query('CREATE TABLE IF NOT EXISTS sms.messages_of_bench PARTITION OF sms.messages DEFAULT');
  await client.query(
    `INSERT INTO sms.messages (id, organization_id, workspace_id, sender_id, created_at, sent_at, finished_at, credits_cost,
       segments, submits, flash, status, encoding, country, header, recipient, body)
     SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid,
       $1, $2, $2, now(), now(), now() + interval '2 seconds', 1, 1, 1, false, 'delivered', 'gsm-7', 'IN', 'BENCHS',
       '+9196' || lpad(n::text, 8, '0'), 'Your code is ' || n
     FROM generate_series(1, $3::integer) AS n CROSS JOIN LATERAL md5(n::text || random()) AS h`,
    [organizationId, workspaceId, count],
  );
  await client.query('ANALYZE sms.messages');
}

/**
 * The highest memory of a process during a report, in MB above the memory before it. The process is new, because memory that
 * other work has left to it would hide that of the report, and writes a report without rows first.
 */
async function measureReport(config: Record<string, string>, format: string, rows: number): Promise<number> {
  const { process, port } = await startAccountApi(config);
  await writeReport(port, benchKey(0), format, 0);
  const before = process.memoryMb();
  let highest = before;
  const startedAt = performance.now();
  await writeReport(port, benchKey(1), format, rows, () => (highest = Math.max(highest, process.memoryMb())));
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(
    `${format}: ${rows} rows in ${seconds.toFixed(0)} s, ${highest.toFixed(0)} MB, ${(highest - before).toFixed(0)} MB more`,
  );
  await process.stop();
  return highest - before;
}

async function writeReport(
  port: number,
  key: string,
  format: string,
  rows: number,
  sample?: () => void,
): Promise<void> {
  const url = `http://127.0.0.1:${port}/api/v1/reports`;
  const { id } = await call(url, key, { type: 'sms_messages', format });
  for (const deadline = Date.now() + MAX_REPORT_MS; ; await delay(100)) {
    sample?.();
    const report = await call(`${url}/${id}`, key);
    if (report.status === 'completed') {
      if (report.rows !== rows) throw new Error(`the report has ${report.rows} rows, expected ${rows}`);
      return;
    }
    if (report.status === 'failed' || Date.now() > deadline) throw new Error(`the report is ${report.status}`);
  }
}

async function startAccountApi(config: Record<string, string>): Promise<RunningService> {
  const account = await startService('account', 'watched-service', 'all', config, ['account-api']);
  await untilReady(account.port);
  return account;
}

async function call(url: string, key: string, body?: object): Promise<{ id: string; status: string; rows: number }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(url, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} returned ${response.status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as { id: string; status: string; rows: number };
}
