import { setTimeout as delay } from 'node:timers/promises';
import { cpuOfCommand, createScratchDatabase, ToolProcess, untilReady } from '@heliograph/harness';
import { Client } from 'pg';
import type { Options } from '../../options';
import { ATTEMPTS_TABLE } from '../../reference/webhook-job';
import type { ReceivedTotals } from '../../webhook-receiver';
import { numberOf } from '../queries';
import { serviceConfig, startService, totalsOf } from '../service-config';
import { Boss, Graphile } from './reference-queues';
import { reportWebhooks, type Drained, type WebhookRound } from './webhooks-report';
import { appendEvents, composeJobs, seedEndpoints } from './seed-webhooks';

/** Deliveries of a variant in a round, per second of its planned duration. */
const DELIVERIES_PER_SECOND = 2_500;
const STUCK_MS = 60_000;
const READY_MS = 120_000;
const POLL_MS = 5;

interface Variant {
  process: ToolProcess;
  /** The first part of the path at the receiver. */
  name: string;
  load: () => Promise<unknown>;
  /** The number of deliveries that are not stored yet. */
  pending: () => Promise<number>;
  /** Runs when the variant is measured. */
  clean?: () => Promise<unknown>;
}

/**
 * The delivery worker compared with pg-boss and graphile-worker, which make the same POSTs from jobs in the same database, and with
 * itself while one endpoint hangs. In each round every variant gets its deliveries while it is stopped, and is measured from its first
 * POST until all results are stored.
 */
export async function benchWebhooks(options: Options): Promise<string[]> {
  const database = await createScratchDatabase('heliograph_bench_webhooks');
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`CREATE SCHEMA reference; ${ATTEMPTS_TABLE}`);
  const receiver = new ToolProcess('receiver', 'webhook-receiver');
  const { port } = await receiver.nextJson<{ port: number }>();
  const receiverUrl = `http://127.0.0.1:${port}`;
  const config = {
    ...serviceConfig(database),
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  };
  const ours = await startService('ours', 'account-api', 'webhooks', config);
  await untilReady(ours.port, READY_MS);
  const boss = await Boss.start(database.url);
  const graphile = await Graphile.start(database.url);
  const endpoints = await seedEndpoints(client, receiverUrl);
  const count = DELIVERIES_PER_SECOND * options.seconds;

  const setHanging = (active: boolean) =>
    client.query(
      `WITH hanging AS (
         UPDATE webhooks.subscriptions SET active = $1, failures = 0, failures_in_row = 0, failing_since = NULL, open_until = NULL
         WHERE url LIKE '%/hang' RETURNING id)
       DELETE FROM webhooks.queue WHERE NOT $1 AND subscription_id IN (SELECT id FROM hanging)`,
      [active],
    );
  const pendingOfOurs = () =>
    numberOf(
      client,
      `SELECT count(*) FROM webhooks.queue
       WHERE subscription_id IN (SELECT id FROM webhooks.subscriptions WHERE url NOT LIKE '%/hang')`,
    );
  const load = () => appendEvents(client, endpoints, count);
  const variants: Record<keyof WebhookRound, Variant> = {
    ours: { process: ours.process, name: 'ours', load, pending: pendingOfOurs },
    boss: {
      process: boss.process,
      name: 'boss',
      pending: () => boss.pending(client),
      load: () => boss.add(composeJobs('boss', endpoints, receiverUrl, count)),
    },
    graphile: {
      process: graphile.process,
      name: 'graphile',
      pending: () => graphile.pending(client),
      load: () => graphile.add(composeJobs('graphile', endpoints, receiverUrl, count)),
    },
    hanging: {
      process: ours.process,
      name: 'ours',
      pending: pendingOfOurs,
      clean: () => setHanging(false),
      load: async () => {
        await setHanging(true);
        await load();
      },
    },
  };
  for (const { process } of Object.values(variants)) process.signal('SIGSTOP');

  const problems: string[] = [];
  const received = () => totalsOf<Record<string, ReceivedTotals>>(receiver);
  const drain = async ({ process, name, load: add, pending, clean }: Variant): Promise<Drained> => {
    await add();
    // Otherwise autovacuum cleans up after one variant while the next one is measured.
    await client.query('VACUUM ANALYZE');
    receiver.signal('SIGHUP');
    const before = { worker: process.cpuSeconds(), postgres: cpuOfCommand('postgres') };
    process.signal('SIGCONT');
    // The database is asked only at the end, so that the questions do not slow it down.
    await untilZero(name, async () => count - ((await received())[name]?.events ?? 0));
    await untilZero(name, pending);
    const storedAt = Date.now();
    process.signal('SIGSTOP');
    const used = { worker: process.cpuSeconds(), postgres: cpuOfCommand('postgres') };
    const totals = (await received())[name];
    await clean?.();
    if (totals?.requests !== count) problems.push(`${name}: ${totals?.requests} requests, expected ${count}`);
    const thousands = count / 1_000;
    return {
      perSecond: (count * 1_000) / (storedAt - (totals?.firstAt ?? 0)),
      workerCpu: (used.worker - before.worker) / thousands,
      postgresCpu: (used.postgres - before.postgres) / thousands,
    };
  };

  const names = Object.keys(variants) as (keyof WebhookRound)[];
  const rounds: WebhookRound[] = [];
  // The first round is not measured.
  for (let round = 0; round <= options.rounds; round++) {
    const entries: [keyof WebhookRound, Drained][] = [];
    for (const name of names) entries.push([name, await drain(variants[name])]);
    console.log(`round ${round}: ${entries.map(([name, m]) => `${name} ${m.perSecond.toFixed(0)}/s`).join('  ')}`);
    if (round > 0) rounds.push(Object.fromEntries(entries) as WebhookRound);
  }
  const kept = 1 + options.rounds;
  const stored = await numberOf(
    client,
    `SELECT count(*) FROM webhooks.deliveries WHERE status = 'delivered' AND tried = 1`,
  );
  if (stored !== 2 * kept * count) problems.push(`stored deliveries: ${stored}, expected ${2 * kept * count}`);
  const referenced = await numberOf(client, `SELECT count(*) FROM reference.attempts WHERE status_code = 200`);
  if (referenced !== 2 * kept * count) problems.push(`stored attempts: ${referenced}, expected ${2 * kept * count}`);

  for (const { process } of Object.values(variants)) process.signal('SIGCONT');
  await Promise.all([ours.process, boss.process, graphile.process].map((process) => process.stop()));
  await Promise.all([receiver.stop(), boss.close(), graphile.close()]);
  await client.end();
  await database.drop();
  return reportWebhooks(rounds, problems, options);
}

async function untilZero(name: string, read: () => Promise<number>): Promise<void> {
  for (let last = -1, stuckSince = Date.now(); ; await delay(POLL_MS)) {
    const current = await read();
    if (current <= 0) return;
    if (current !== last) stuckSince = Date.now();
    last = current;
    if (Date.now() - stuckSince > STUCK_MS) throw new Error(`${name}: ${current} deliveries are not made`);
  }
}
