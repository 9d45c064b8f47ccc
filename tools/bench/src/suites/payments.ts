import { EVENTS_QUEUE, RECEIPTS_QUEUE } from '@heliograph/billing-hook';
import { MAIL_QUEUE, mailRequested } from '@heliograph/contracts';
import { cpuOfCommand, createScratchDatabase, freePort, seed, ToolProcess, untilReady } from '@heliograph/harness';
import { RabbitBus } from '@heliograph/messaging';
import { removeFromBroker } from '@heliograph/testing';
import { Client } from 'pg';
import { BENCH_SECRET } from '../calls/payment-calls';
import type { LoadOrder } from '../load-generator';
import { CONNECTIONS, measure, playRounds, type Measured } from '../measure';
import type { Options } from '../options';
import { serviceSettings } from './environment';
import { brokenPayments } from './payments-invariants';
import { reportPayments } from './payments-report';
import { countOf, untilEmptyOutbox, untilReached } from './progress';

const CUSTOMERS = 500;
/** Events of the first run that the repeats are of. */
const REPEATED = 2_000;
const HOOK = '/api/webhooks/payments';
/** All that is stored is settled afterwards, which takes many times as long. */
const LONGEST_SECONDS = 1;

/** Payment events: stored and acknowledged, against a plain endpoint; then settled by a worker. */
export async function benchPayments(asked: Options): Promise<string[]> {
  const options = { ...asked, seconds: Math.min(asked.seconds, LONGEST_SECONDS) };
  const database = await createScratchDatabase('heliograph_bench_payments');
  await seed(database.url, CUSTOMERS);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    CREATE SCHEMA reference;
    CREATE TABLE reference.payment_events (id text PRIMARY KEY, type text NOT NULL, created timestamptz NOT NULL, payload json NOT NULL,
      received_at timestamptz NOT NULL DEFAULT now())`);
  const settings = {
    ...serviceSettings(database),
    BILLING_SECRET_KEY: 'sk_of_the_bench',
    BILLING_WEBHOOK_SECRET: BENCH_SECRET,
    BILLING_PLANS: '{"pro_monthly": "pro"}',
  };
  await keepMails(settings.AMQP_URL, settings.AMQP_PREFIX);
  const [hookPort, plainPort, workerPort] = [await freePort(), await freePort(), await freePort()];
  const service = (name: string, entry: string, port: number, role: string): ToolProcess =>
    new ToolProcess(name, entry, { ...settings, PORT: String(port), ROLE: role });
  const hook = service('hook', 'billing-hook', hookPort, 'api');
  const plain = service('plain', 'reference/plain-hook', plainPort, 'api');
  await Promise.all([untilReady(hookPort), untilReady(plainPort)]);

  let offset = 0;
  let stored = 0;
  const load = async (order: Partial<LoadOrder>, server: ToolProcess): Promise<Measured> => {
    const full: LoadOrder = {
      kind: 'payments',
      port: hookPort,
      path: HOOK,
      population: CUSTOMERS,
      connections: CONNECTIONS,
      durationMs: options.seconds * 1000,
      calls: Infinity,
      offset,
      ...order,
    };
    const measured = await measure(full, server, {
      server: () => server.cpuSeconds(),
      postgres: () => cpuOfCommand('postgres'),
    });
    if (full.distinct === undefined) offset += measured.ok;
    if (full.distinct === undefined && server === hook) stored += measured.ok;
    return measured;
  };

  // These are there before the rounds: what is repeated must have been stored.
  await load({ calls: REPEATED, durationMs: 600_000 }, hook);
  const results = await playRounds(
    {
      hook: () => load({}, hook),
      plain: () => load({ port: plainPort, path: '/webhooks/payments' }, plain),
      repeats: () => load({ offset: 0, distinct: REPEATED }, hook),
    },
    options.rounds,
  );
  await plain.stop();

  const unsettled = () => countOf(client, 'SELECT count(*) FROM billing.events WHERE settled_at IS NULL');
  const waiting = await unsettled();
  console.log(`settling ${waiting} events`);
  const settlingSince = performance.now();
  const worker = service('worker', 'billing-hook', workerPort, 'worker');
  await untilReached('events without their effects', unsettled, 0);
  const settledPerSecond = waiting / ((performance.now() - settlingSince) / 1000);
  await untilEmptyOutbox(client);
  const paid = await countOf(client, `SELECT count(*) FROM billing.invoices WHERE status = 'paid'`);
  await untilReached('receipts', () => countOf(client, 'SELECT count(*) FROM billing.receipts'), paid);
  await untilEmptyOutbox(client);
  const broken = await brokenPayments(client, { stored, customers: CUSTOMERS });

  await Promise.all([hook.stop(), worker.stop()]);
  await client.end();
  await database.drop();
  await removeFromBroker(settings.AMQP_PREFIX, [EVENTS_QUEUE, RECEIPTS_QUEUE, MAIL_QUEUE]);
  return reportPayments({ ...results, settledPerSecond }, broken, options);
}

/** Receipts and reminders end in a queue that some service of a whole system would have made. */
async function keepMails(url: string, prefix: string): Promise<void> {
  const log = { info: () => undefined, warn: console.warn };
  const bus = new RabbitBus({ url, prefix, connectionName: 'bench', isMandatory: () => true, log });
  await bus.start();
  await bus.keepQueue({ name: MAIL_QUEUE, bindings: [mailRequested.type] });
  await bus.stop();
}
