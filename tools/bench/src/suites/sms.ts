import {
  cpuOfCommand,
  createScratchDatabase,
  freePort,
  seed,
  ToolProcess,
  untilReady,
  type ScratchDatabase,
} from '@heliograph/harness';
import { SEND_QUEUE } from '@heliograph/sms-api';
import { removeFromBroker } from '@heliograph/testing';
import { Client } from 'pg';
import type { LoadOrder } from '../load-generator';
import { CONNECTIONS, measure, playRounds, type Measured } from '../measure';
import type { Options } from '../options';
import { countOf, untilEmptyOutbox, untilReached } from './progress';
import { serviceSettings } from './environment';
import { brokenInvariants } from './sms-invariants';
import { reportSms } from './sms-report';

const COLD_WORKSPACES = 1_000;

/** Sends: accepted against a floor and a yardstick, then all the way to the stored receipt. */
export async function benchSms(options: Options): Promise<string[]> {
  const database = await createScratchDatabase('heliograph_bench');
  await seed(database.url, COLD_WORKSPACES);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await prepareReference(client);

  const carrier = new ToolProcess('carrier', 'carrier');
  const { smppPort } = await carrier.nextJson<{ smppPort: number }>();
  const settings = smsSettings(database, smppPort);
  const [apiPort, referencePort, workerPort] = [await freePort(), await freePort(), await freePort()];
  const service = (name: string, entry: string, port: number, role: string): ToolProcess =>
    new ToolProcess(name, entry, { ...settings, PORT: String(port), ROLE: role });
  const api = service('api', 'bench-api', apiPort, 'api');
  const reference = service('reference', 'reference/reference-api', referencePort, 'api');
  let worker: ToolProcess | null = null;
  await Promise.all([untilReady(apiPort), untilReady(referencePort)]);

  let offset = 0;
  let accepted = 0;
  const load: Load = async (order, server = api) => {
    const full: LoadOrder = {
      kind: 'sms',
      port: apiPort,
      path: '/sms/send',
      population: 1,
      connections: CONNECTIONS,
      durationMs: options.seconds * 1000,
      calls: Infinity,
      offset,
      ...order,
    };
    const measured = await measure(full, server, {
      server: () => server.cpuSeconds(),
      worker: () => worker?.cpuSeconds() ?? 0,
      postgres: () => cpuOfCommand('postgres'),
      rabbit: () => cpuOfCommand('beam.smp'),
      carrier: () => carrier.cpuSeconds(),
    });
    offset += measured.ok;
    if (full.path === '/sms/send') accepted += measured.ok;
    return measured;
  };

  const results = await playRounds(
    {
      a: () => load({ path: '/bench/floor' }),
      b: () => load({}),
      c: () => load({ population: COLD_WORKSPACES }),
      d: () => load({ port: referencePort, path: '/reference/send' }, reference),
    },
    options.rounds,
  );
  await reference.stop();

  worker = service('worker', 'bench-api', workerPort, 'worker');
  await untilReady(workerPort);
  // With the worker beside it: the outbox takes a million events at the most before sends are refused.
  if (options.million) await acceptAMillion(load, api, worker);
  const delivered = () => countOf(client, `SELECT count(*) FROM sms.messages WHERE status = 'delivered'`);
  console.log(`draining ${accepted} accepted messages through RabbitMQ and SMPP`);
  const drainStarted = Date.now();
  const drained = await untilReached('messages delivered', delivered, accepted);
  console.log(`drained at ${((drained * 1000) / (Date.now() - drainStarted)).toFixed(0)}/s`);

  const endToEndStarted = performance.now();
  const intake = await load({ calls: options.endToEnd, durationMs: 600_000 });
  await untilReached('messages delivered', delivered, accepted);
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
  reportSms({ ...results, intake, endToEnd }, broken, options);
  return broken;
}

/** To the service, unless another server is named. */
type Load = (order: Partial<LoadOrder>, server?: ToolProcess) => Promise<Measured>;

async function acceptAMillion(load: Load, api: ToolProcess, worker: ToolProcess): Promise<void> {
  for (let part = 1; part <= 10; part++) {
    const { perSecond } = await load({ population: COLD_WORKSPACES, calls: 100_000, durationMs: 600_000 });
    console.log(
      `${part}00k: api ${api.memoryMb().toFixed(0)} MB, worker ${worker.memoryMb().toFixed(0)} MB (${perSecond.toFixed(0)}/s)`,
    );
  }
}

function smsSettings(database: ScratchDatabase, smppPort: number) {
  return {
    ...serviceSettings(database),
    MESSAGING_RATE_PER_MINUTE: '0',
    SMS_CARRIERS: JSON.stringify([
      { name: 'bench', host: '127.0.0.1', port: smppPort, systemId: 'bench', binds: 2, windowSize: 100 },
    ]),
  };
}

async function prepareReference(client: Client): Promise<void> {
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
