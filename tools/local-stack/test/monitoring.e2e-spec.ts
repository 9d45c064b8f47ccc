import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { metricsOf, metricsReference, type Metric } from '../src/monitoring/metrics-reference';
import { AllServices } from './all-services';

const root = path.join(__dirname, '../../..');
const REFERENCE = path.join(root, 'docs/operations/metrics.md');
const NEEDED = [
  'build_info',
  'consumer_event_age_seconds',
  'consumer_events_total',
  'database_pool_wait_seconds',
  'database_pool_waiting',
  'dependency_up',
  'http_request_duration_seconds',
  'ledger_drift_accounts',
  'nodejs_eventloop_lag_seconds',
  'outbox_oldest_seconds',
  'outbox_rows',
  'queue_dead_letters',
  'queue_messages',
  'service_ready',
  'sms_carrier_window_used',
  'sms_receipt_lag_seconds',
  'webhook_attempts_total',
];
/** Values of these labels would grow with the customers. */
const UNBOUNDED = /organization|workspace|message_?id|request_?id|recipient|address|phone|user|key_?id/i;

describe('monitoring', () => {
  let services: AllServices;
  let metrics: Metric[];
  beforeAll(async () => {
    services = await AllServices.start();
    metrics = await metricsOf(services.running);
  });
  afterAll(() => services?.stop());

  it('has the metrics that dashboards and alerts need, with bounded labels', () => {
    const names = metrics.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(NEEDED));
    expect(metrics.filter(({ labels }) => labels.some((label) => UNBOUNDED.test(label)))).toEqual([]);
  });

  it('gives every series of every service the labels service and role', async () => {
    for (const { name, url } of services.running) {
      const text = await (await fetch(`${url}/metrics`)).text();
      const bare = text
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .filter((line) => !line.includes(`service="${name}"`) || !line.includes('role="all"'));
      expect(bare).toEqual([]);
    }
  });

  it('has a reference of all metrics that is up to date', () => {
    const reference = metricsReference(metrics, services.running.length);
    if (process.env['UPDATE_DOCUMENTS'] === 'true') writeFileSync(REFERENCE, reference);
    // Otherwise: UPDATE_DOCUMENTS=true npx jest -c tools/local-stack/jest.config.cjs monitoring
    expect(readFileSync(REFERENCE, 'utf8')).toBe(reference);
  });
});
