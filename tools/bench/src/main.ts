import { appendFileSync, existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuOfCommand, createScratchDatabase, freePort, seed, ToolProcess, untilReady } from '@heliograph/harness';
import { SEND_QUEUE } from '@heliograph/sms-api';
import { removeFromBroker } from '@heliograph/testing';
import { Client } from 'pg';
import { brokenInvariants } from './invariants';
import type { LoadOrder, LoadReport } from './load-generator';

const AMQP_URL = process.env['AMQP_URL'] || 'amqp://guest:guest@127.0.0.1:5672';
const COLD_WORKSPACES = 1_000;
const CONNECTIONS = 64;

interface Options {
  rounds: number;
  seconds: number;
  endToEnd: number;
  million: boolean;
}

/** CPU seconds per 1,000 messages, by who used them. */
type CpuSplit = Record<string, number>;

interface Measured {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuPerThousand: number;
  cpuSplit: CpuSplit;
  memoryMb: number;
}

function readOptions(): Options {
  const value = (name: string, byDefault: number): number => {
    const index = process.argv.indexOf(`--${name}`);
    return index < 0 ? byDefault : Number(process.argv[index + 1]);
  };
  return {
    rounds: value('rounds', 5),
    seconds: value('seconds', 4),
    endToEnd: value('end-to-end', 40_000),
    million: process.argv.includes('--million'),
  };
}

async function main(): Promise<void> {
  const options = readOptions();
  const database = await createScratchDatabase('heliograph_bench');
  await seed(database.url, COLD_WORKSPACES);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    CREATE SCHEMA reference;
    CREATE TABLE reference.balances (workspace_id uuid PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= 0));
    CREATE TABLE reference.ledger (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), workspace_id uuid NOT NULL, amount integer NOT NULL,
      balance_after bigint NOT NULL, message_id uuid NOT NULL UNIQUE);
    CREATE TABLE reference.messages (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), organization_id uuid NOT NULL, workspace_id uuid NOT NULL,
      recipient text NOT NULL, body text NOT NULL, status text NOT NULL, segments integer NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
    CREATE TABLE reference.outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), type text NOT NULL, payload json NOT NULL);
    INSERT INTO reference.balances SELECT workspace_id, balance FROM credits.accounts`);

  const carrier = new ToolProcess('carrier', 'carrier');
  const { smppPort } = await carrier.nextJson<{ smppPort: number }>();
  const settings = {
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    AMQP_URL,
    AMQP_PREFIX: `bench-${process.pid}.`,
    REDIS_URL: '',
    MESSAGING_RATE_PER_MINUTE: '0',
    SMS_CARRIERS: JSON.stringify([
      { name: 'bench', host: '127.0.0.1', port: smppPort, systemId: 'bench', binds: 2, windowSize: 100 },
    ]),
  };
  const [apiPort, referencePort, workerPort] = [await freePort(), await freePort(), await freePort()];
  const api = new ToolProcess('api', 'bench-api', { ...settings, PORT: String(apiPort), ROLE: 'api' });
  const reference = new ToolProcess('reference', 'reference/reference-api', {
    ...settings,
    PORT: String(referencePort),
    ROLE: 'api',
  });
  const startWorker = () =>
    new ToolProcess('worker', 'bench-api', { ...settings, PORT: String(workerPort), ROLE: 'worker' });
  let worker: ToolProcess | null = null;
  await Promise.all([untilReady(apiPort), untilReady(referencePort)]);

  let offset = 0;
  let accepted = 0;
  const load = async (
    order: Pick<LoadOrder, 'port' | 'path' | 'organizations'> & Partial<LoadOrder>,
    server: ToolProcess,
  ): Promise<Measured> => {
    const cpu = (): CpuSplit => ({
      server: server.cpuSeconds(),
      worker: worker?.cpuSeconds() ?? 0,
      postgres: cpuOfCommand('postgres'),
      rabbit: cpuOfCommand('beam.smp'),
      carrier: carrier.cpuSeconds(),
    });
    const before = cpu();
    const full: LoadOrder = {
      connections: CONNECTIONS,
      durationMs: options.seconds * 1000,
      calls: Infinity,
      offset,
      ...order,
    };
    // JSON has no infinity.
    if (!Number.isFinite(full.calls)) full.calls = Number.MAX_SAFE_INTEGER;
    const generator = new ToolProcess('generator', 'load-generator', {}, [JSON.stringify(full)]);
    const report = await generator.nextJson<LoadReport>(full.durationMs + 600_000);
    await generator.stop();
    offset += report.ok + report.refused + CONNECTIONS;
    if (report.refused > 0) throw new Error(`${report.refused} calls to ${full.path} were refused`);
    if (full.path === '/sms/send') accepted += report.ok;
    const after = cpu();
    const used = Object.fromEntries(
      Object.entries(after).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]),
    );
    used['generator'] = report.cpuSeconds;
    return {
      perSecond: report.perSecond,
      p50Ms: report.p50Ms,
      p99Ms: report.p99Ms,
      cpuPerThousand: (Object.values(used).reduce((sum, seconds) => sum + seconds, 0) / report.ok) * 1000,
      cpuSplit: Object.fromEntries(Object.entries(used).map(([name, seconds]) => [name, (seconds / report.ok) * 1000])),
      memoryMb: server.memoryMb(),
    };
  };

  const variants = {
    a: () => load({ port: apiPort, path: '/bench/floor', organizations: 1 }, api),
    b: () => load({ port: apiPort, path: '/sms/send', organizations: 1 }, api),
    c: () => load({ port: apiPort, path: '/sms/send', organizations: COLD_WORKSPACES }, api),
    d: () => load({ port: referencePort, path: '/reference/send', organizations: 1 }, reference),
  };
  const rounds: Record<keyof typeof variants, Measured[]> = { a: [], b: [], c: [], d: [] };
  const names = Object.keys(variants) as (keyof typeof variants)[];
  // One round unmeasured: compilation, caches, connections.
  for (let round = -1; round < options.rounds; round++) {
    for (const name of names) {
      const measured = await variants[name]();
      if (round >= 0) rounds[name].push(measured);
    }
    if (round >= 0)
      console.log(
        `round ${round + 1}: ${names.map((name) => `${name} ${rounds[name].at(-1)?.perSecond.toFixed(0)}/s`).join('  ')}`,
      );
  }
  const results = Object.fromEntries(names.map((name) => [name, median(rounds[name])])) as Record<
    keyof typeof variants,
    Measured
  >;
  await reference.stop();

  worker = startWorker();
  await untilReady(workerPort);
  // With the worker beside it: the outbox takes a million events at the most before sends are refused.
  if (options.million) await acceptAMillion(load, api, worker, apiPort);
  console.log(`draining ${accepted} accepted messages through RabbitMQ and SMPP`);
  const drainStarted = Date.now();
  const alreadyDelivered = await untilDelivered(client, accepted);
  console.log(`drained at ${((alreadyDelivered * 1000) / (Date.now() - drainStarted)).toFixed(0)}/s`);

  const endToEndStarted = performance.now();
  const intake = await load(
    { port: apiPort, path: '/sms/send', organizations: 1, calls: options.endToEnd, durationMs: 600_000 },
    api,
  );
  await untilDelivered(client, accepted);
  const endToEnd = options.endToEnd / ((performance.now() - endToEndStarted) / 1000);

  await untilEmptyOutbox(client);
  carrier.signal('SIGUSR2');
  const totals = await carrier.nextJson<{ distinctParts: number; acceptedParts: number }>();
  const broken = await brokenInvariants(client, { accepted, reachedCarrier: totals.acceptedParts });

  await Promise.all([api.stop(), worker.stop()]);
  await carrier.stop();
  await client.end();
  await database.drop();
  await removeFromBroker(settings.AMQP_PREFIX, [SEND_QUEUE]);

  report(results, intake, endToEnd, broken, options);
  process.exit(broken.length > 0 ? 1 : 0);
}

type Load = (
  order: Pick<LoadOrder, 'port' | 'path' | 'organizations'> & Partial<LoadOrder>,
  server: ToolProcess,
) => Promise<Measured>;

async function acceptAMillion(load: Load, api: ToolProcess, worker: ToolProcess, port: number): Promise<void> {
  const memory: string[] = [];
  for (let part = 1; part <= 10; part++) {
    const { perSecond, memoryMb } = await load(
      { port, path: '/sms/send', organizations: COLD_WORKSPACES, calls: 100_000, durationMs: 600_000 },
      api,
    );
    memory.push(
      `${part}00k: api ${memoryMb.toFixed(0)} MB, worker ${worker.memoryMb().toFixed(0)} MB (${perSecond.toFixed(0)}/s)`,
    );
    console.log(memory.at(-1));
  }
}

async function untilDelivered(client: Client, expected: number): Promise<number> {
  const started = await delivered(client);
  for (let last = started, stuckSince = Date.now(); ; await delay(100)) {
    const now = await delivered(client);
    if (now >= expected) return now - started;
    if (now > last) stuckSince = Date.now();
    last = now;
    if (Date.now() - stuckSince > 60_000) throw new Error(`only ${now} of ${expected} messages were delivered`);
  }
}

async function delivered(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `SELECT count(*) FROM sms.messages WHERE status = 'delivered'`,
  );
  return Number(rows[0]?.count ?? 0);
}

async function untilEmptyOutbox(client: Client): Promise<void> {
  for (let tries = 0; tries < 600; tries++, await delay(100)) {
    if ((await client.query('SELECT 1 FROM messaging.outbox LIMIT 1')).rowCount === 0) return;
  }
}

function median(measured: Measured[]): Measured {
  const sorted = [...measured].sort((x, y) => x.perSecond - y.perSecond);
  const middle = sorted[sorted.length >> 1];
  if (!middle) throw new Error('nothing was measured');
  return middle;
}

function report(
  results: Record<'a' | 'b' | 'c' | 'd', Measured>,
  intake: Measured,
  endToEnd: number,
  broken: string[],
  options: Options,
): void {
  const { a, b, c, d } = results;
  const line = (name: string, m: Measured): string =>
    `${name.padEnd(34)} ${m.perSecond.toFixed(0).padStart(6)}/s  p50 ${m.p50Ms.toFixed(1).padStart(6)} ms  p99 ${m.p99Ms.toFixed(1).padStart(6)} ms  ` +
    `${m.cpuPerThousand.toFixed(3)} CPU s/1000  ${m.memoryMb.toFixed(0)} MB`;
  console.log(line('(a) floor, no database', a));
  console.log(line('(b) accept, one hot workspace', b));
  console.log(line('(c) accept, 1,000 workspaces', c));
  console.log(line('(d) one transaction per request', d));
  console.log(line('(e) accept while all runs', intake));
  console.log(`(e) end to end, receipt stored     ${endToEnd.toFixed(0).padStart(6)}/s`);
  const split = Object.entries(intake.cpuSplit).map(([name, seconds]) => `${name} ${seconds.toFixed(3)}`);
  console.log(`(e) CPU s/1000 while accepting: ${split.join('  ')}`);
  const ratios = {
    'b/a': b.perSecond / a.perSecond,
    'b/d': b.perSecond / d.perSecond,
    'b/c': b.perSecond / c.perSecond,
  };
  console.log(
    Object.entries(ratios)
      .map(([name, ratio]) => `${name} ${ratio.toFixed(2)}`)
      .join('   '),
  );
  console.log(broken.length === 0 ? 'all invariants hold' : `BROKEN: ${broken.join('; ')}`);

  const file = path.join(process.cwd(), 'tools/bench/RESULTS.md');
  if (!existsSync(path.dirname(file))) return;
  const cells = [
    new Date().toISOString().slice(0, 16),
    `${os.availableParallelism()} cores`,
    `${options.rounds} x ${options.seconds} s`,
    ...[a, b, c, d].map((m) => m.perSecond.toFixed(0)),
    endToEnd.toFixed(0),
    ...Object.values(ratios).map((ratio) => ratio.toFixed(2)),
    `${b.p50Ms.toFixed(1)} / ${b.p99Ms.toFixed(1)}`,
    intake.cpuPerThousand.toFixed(2),
    broken.length === 0 ? 'hold' : 'BROKEN',
  ];
  appendFileSync(file, `| ${cells.join(' | ')} |\n`);
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
