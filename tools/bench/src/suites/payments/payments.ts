import { createScratchDatabase, seed, untilReady } from '@heliograph/harness';
import { Client } from 'pg';
import { BENCH_SECRET } from '../../calls/payment-calls';
import type { LoadOrder } from '../../load-generator';
import { LoadRunner } from '../../load-runner';
import { runRounds, type Measurement } from '../../measure';
import type { Options } from '../../options';
import { paymentViolations } from './payments-invariants';
import { reportPayments } from './payments-report';
import { numberOf, untilOutboxIsEmpty, untilReached } from '../queries';
import { removeQueues, serviceConfig, startService } from '../service-config';

const CUSTOMERS = 500;
/** The number of events of the first run, which are then repeated. */
const REPEATED = 2_000;
const STORE_MS = 600_000;
/** Every stored event must be settled afterwards, which takes many times as long. */
const MAX_SECONDS = 1;

/** Payment events: stored and acknowledged, compared with a plain endpoint; then settled by a worker. */
export async function benchPayments(requested: Options): Promise<string[]> {
  const options = { ...requested, seconds: Math.min(requested.seconds, MAX_SECONDS) };
  const database = await createScratchDatabase('heliograph_bench_payments');
  await seed(database.url, CUSTOMERS);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    CREATE SCHEMA reference;
    CREATE TABLE reference.payment_events (id text PRIMARY KEY, type text NOT NULL, created timestamptz NOT NULL, payload json NOT NULL,
      received_at timestamptz NOT NULL DEFAULT now())`);
  const config = {
    ...serviceConfig(database),
    BILLING_SECRET_KEY: 'sk_bench',
    BILLING_WEBHOOK_SECRET: BENCH_SECRET,
    BILLING_PLANS: '{"pro_monthly": "pro"}',
  };
  const hook = await startService('hook', 'billing-hook', 'api', config);
  const plain = await startService('plain', 'reference/plain-hook', 'api', config);
  await Promise.all([untilReady(hook.port), untilReady(plain.port)]);

  let stored = 0;
  const order = { kind: 'payments', port: hook.port, path: '/api/webhooks/payments', population: CUSTOMERS } as const;
  const runner = new LoadRunner(order, options.seconds);
  const store = async (more: Partial<LoadOrder> = {}): Promise<Measurement> => {
    const measured = await runner.run(more, hook.process);
    stored += measured.ok;
    return measured;
  };
  await store({ calls: REPEATED, durationMs: STORE_MS });
  const results = await runRounds(
    {
      hook: () => store(),
      plain: () => runner.run({ port: plain.port, path: '/webhooks/payments' }, plain.process),
      repeats: () => runner.run({ offset: 0, distinct: REPEATED }, hook.process),
    },
    options.rounds,
  );
  await plain.process.stop();

  const unsettled = () => numberOf(client, 'SELECT count(*) FROM billing.events WHERE settled_at IS NULL');
  const pending = await unsettled();
  console.log(`settling ${pending} events`);
  const settlingSince = performance.now();
  const worker = await startService('worker', 'billing-hook', 'worker', config);
  await untilReached('events without their effects', unsettled, 0);
  const settledPerSecond = pending / ((performance.now() - settlingSince) / 1000);
  await untilOutboxIsEmpty(client);
  const paid = await numberOf(client, `SELECT count(*) FROM billing.invoices WHERE status = 'paid'`);
  await untilReached('receipts', () => numberOf(client, 'SELECT count(*) FROM billing.receipts'), paid);
  await untilOutboxIsEmpty(client);
  const violations = await paymentViolations(client, { stored, customers: CUSTOMERS });

  await Promise.all([hook.process.stop(), worker.process.stop()]);
  await client.end();
  await database.drop();
  await removeQueues(config);
  return reportPayments({ ...results, settledPerSecond }, violations, options);
}
