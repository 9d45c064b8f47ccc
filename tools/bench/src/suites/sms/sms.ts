import { createScratchDatabase, seed, ToolProcess, cpuOfCommand, untilReady } from '@heliograph/harness';
import { Client } from 'pg';
import type { LoadOrder } from '../../load-generator';
import { LoadRunner } from '../../load-runner';
import { runRounds, type Measurement } from '../../measure';
import type { Options } from '../../options';
import { numberOf, untilOutboxIsEmpty, untilReached } from '../queries';
import { removeQueues, serviceConfig, startService, totalsOf } from '../service-config';
import { smsViolations } from './sms-invariants';
import { reportSms } from './sms-report';

const COLD_WORKSPACES = 1_000;
const DRAIN_MS = 600_000;

/** SMS: acceptance compared with the floor and the reference, then end to end until the receipt is stored. */
export async function benchSms(options: Options): Promise<string[]> {
  const database = await createScratchDatabase('heliograph_bench');
  await seed(database.url, COLD_WORKSPACES);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await createReferenceTables(client);

  const carrier = new ToolProcess('carrier', 'carrier');
  const { smppPort } = await carrier.nextJson<{ smppPort: number }>();
  const config = {
    ...serviceConfig(database),
    MESSAGING_RATE_PER_MINUTE: '0',
    SMS_CARRIERS: JSON.stringify([
      { name: 'bench', host: '127.0.0.1', port: smppPort, systemId: 'bench', binds: 2, windowSize: 100 },
    ]),
  };
  const api = await startService('api', 'bench-api', 'api', config);
  const reference = await startService('reference', 'reference/reference-api', 'api', config);
  await Promise.all([untilReady(api.port), untilReady(reference.port)]);

  let worker: ToolProcess | null = null;
  let accepted = 0;
  const runner = new LoadRunner({ kind: 'sms', port: api.port, path: '/sms/send', population: 1 }, options.seconds);
  const clocks = {
    worker: () => worker?.cpuSeconds() ?? 0,
    rabbit: () => cpuOfCommand('beam.smp'),
    carrier: () => carrier.cpuSeconds(),
  };
  const load: Load = (order, server = api.process) => runner.run(order, server, { clocks });
  const send: Load = async (order) => {
    const measured = await load(order);
    accepted += measured.ok;
    return measured;
  };

  const results = await runRounds(
    {
      a: () => load({ path: '/bench/floor' }),
      b: () => send({}),
      c: () => send({ population: COLD_WORKSPACES }),
      d: () => load({ port: reference.port, path: '/reference/send' }, reference.process),
    },
    options.rounds,
  );
  await reference.process.stop();

  const started = await startService('worker', 'bench-api', 'worker', config);
  worker = started.process;
  await untilReady(started.port);
  // The worker must run: sends are refused when the outbox has a million events.
  if (options.million) await sendAMillion(send, api.process, worker);
  const delivered = () => numberOf(client, `SELECT count(*) FROM sms.messages WHERE status = 'delivered'`);
  console.log(`draining ${accepted} accepted messages through RabbitMQ and SMPP`);
  const drainStartedAt = Date.now();
  const drained = await untilReached('messages delivered', delivered, accepted);
  console.log(`drained at ${((drained * 1000) / (Date.now() - drainStartedAt)).toFixed(0)}/s`);

  const endToEndStartedAt = performance.now();
  const intake = await send({ calls: options.endToEnd, durationMs: DRAIN_MS });
  await untilReached('messages delivered', delivered, accepted);
  const endToEnd = options.endToEnd / ((performance.now() - endToEndStartedAt) / 1000);

  await untilOutboxIsEmpty(client);
  const { acceptedParts } = await totalsOf<{ acceptedParts: number }>(carrier);
  const violations = await smsViolations(client, { accepted, acceptedByCarrier: acceptedParts });

  await Promise.all([api.process.stop(), worker.stop()]);
  await carrier.stop();
  await client.end();
  await database.drop();
  await removeQueues(config);
  reportSms({ ...results, intake, endToEnd }, violations, options);
  return violations;
}

/** Runs against the API unless another server is given. */
type Load = (order: Partial<LoadOrder>, server?: ToolProcess) => Promise<Measurement>;

async function sendAMillion(send: Load, api: ToolProcess, worker: ToolProcess): Promise<void> {
  for (let part = 1; part <= 10; part++) {
    const { perSecond } = await send({ population: COLD_WORKSPACES, calls: 100_000, durationMs: DRAIN_MS });
    console.log(
      `${part}00k: api ${api.memoryMb().toFixed(0)} MB, worker ${worker.memoryMb().toFixed(0)} MB (${perSecond.toFixed(0)}/s)`,
    );
  }
}

async function createReferenceTables(client: Client): Promise<void> {
  await client.query(`
    CREATE SCHEMA reference;
    CREATE TABLE reference.balances (workspace_id uuid PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= 0));
    CREATE TABLE reference.ledger (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), workspace_id uuid NOT NULL, amount integer NOT NULL,
      balance_after bigint NOT NULL, message_id uuid NOT NULL UNIQUE);
    CREATE TABLE reference.messages (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), organization_id uuid NOT NULL, workspace_id uuid NOT NULL,
      recipient text NOT NULL, body text NOT NULL, status text NOT NULL, segments integer NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
    CREATE TABLE reference.outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), type text NOT NULL, payload json NOT NULL);
    INSERT INTO reference.balances SELECT workspace_id, balance FROM credits.accounts`);
}
