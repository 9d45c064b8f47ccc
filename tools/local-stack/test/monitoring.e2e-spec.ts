import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { namesOf } from '../src/monitoring/expressions';
import { readDashboards, readRules, type Expression } from '../src/monitoring/monitoring-files';
import { COMMON_LABELS, metricsOf, metricsReference, type Metric } from '../src/monitoring/metrics-reference';
import { SERVICES } from '../src/routes';
import { AllServices } from './all-services';

const root = path.join(__dirname, '../../..');
const FOLDER = path.join(root, 'deploy/monitoring');
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

/** Series of Prometheus itself, and the labels that a scrape adds. */
const OF_PROMETHEUS = ['up', 'ALERTS'];
const LABELS_OF_PROMETHEUS = ['job', 'instance', 'container', 'alertname', 'alertstate'];

/** Runs promtool in the folder of the monitoring files. Throws with its output if a check fails. */
function promtool(...args: string[]): string {
  try {
    return execFileSync('promtool', args, { cwd: FOLDER, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error('promtool is missing. Install it (Debian: apt-get install prometheus).', { cause: error });
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`promtool ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}

/** The page of an alert: `docs/operations/runbooks/outbox-lag.md` for OutboxLag. */
function runbookOf(alert: string): string {
  return `docs/operations/runbooks/${alert.replace(/(?<!^)([A-Z])/g, '-$1').toLowerCase()}.md`;
}

describe('the monitoring files', () => {
  const rules = readRules(FOLDER);
  const alerts = rules.flatMap(({ alert, ...rule }) => (alert === undefined ? [] : [{ alert, ...rule }]));

  it('are valid for Prometheus', () => {
    expect(promtool('check', 'config', 'prometheus.yml')).toContain('SUCCESS');
    expect(promtool('check', 'rules', 'rules/alerts.yml', 'rules/recording.yml')).toContain('SUCCESS');
  });

  it('let every alert fire in a sick system and none in a healthy one', () => {
    expect(promtool('test', 'rules', 'tests/rules.test.yml')).toContain('SUCCESS');
    const tested = readFileSync(path.join(FOLDER, 'tests/rules.test.yml'), 'utf8');
    expect(alerts.filter(({ alert }) => !tested.includes(`alertname="${alert}"`))).toEqual([]);
  });

  it('give every alert a severity, a summary and a runbook that says what it means, where to look and what to do', () => {
    expect(alerts.length).toBeGreaterThan(20);
    const index = readFileSync(path.join(root, 'docs/operations/runbooks/README.md'), 'utf8');
    for (const { alert, labels, annotations } of alerts) {
      const page = runbookOf(alert);
      expect(annotations).toEqual({ summary: expect.any(String) as string, runbook: page });
      expect(['page', 'ticket']).toContain(labels?.['severity']);
      const text = readFileSync(path.join(root, page), 'utf8');
      for (const heading of [`# ${alert}`, '## Meaning', '## Look', '## Do']) expect(text).toContain(`${heading}\n`);
      expect(index).toContain(`[${alert}](${path.basename(page)})`);
    }
  });

  it('contain queries of dashboards that Prometheus can parse', () => {
    const dashboards = readDashboards(FOLDER);
    expect(dashboards.length).toBeGreaterThan(50);
    const folder = mkdtempSync(path.join(tmpdir(), 'dashboards-'));
    try {
      const file = path.join(folder, 'queries.json');
      const queries = dashboards.map(({ expression }, index) => ({ record: `query:${index}`, expr: expression }));
      // JSON is YAML.
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboards', rules: queries }] }));
      expect(promtool('check', 'rules', file)).toContain('SUCCESS');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('scrape every container that runs a service in docker/compose.yaml', () => {
    const { services } = parse(readFileSync(path.join(root, 'docker/compose.yaml'), 'utf8'), {
      merge: true,
      maxAliasCount: -1,
    }) as {
      services: Record<string, { image?: string; command?: unknown }>;
    };
    const images = SERVICES.map((service) => `heliograph/${service}`);
    const running = Object.entries(services)
      .filter(([, { image = '' }]) => images.some((one) => image.split(':')[0] === one))
      .filter(([, { command }]) => !JSON.stringify(command ?? '').includes('migrate'))
      .map(([name]) => name);
    const { scrape_configs: scrapes } = parse(readFileSync(path.join(FOLDER, 'prometheus.yml'), 'utf8')) as {
      scrape_configs: { dns_sd_configs?: { names: string[] }[] }[];
    };
    const scraped = scrapes.flatMap(({ dns_sd_configs: found = [] }) => found.flatMap(({ names }) => names));
    expect(scraped.sort()).toEqual(running.sort());
  });
});

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

  it('uses in rules and dashboards only metrics and labels that the services have', () => {
    const rules = readRules(FOLDER);
    const recorded = rules.flatMap(({ record }) => record ?? []);
    const known = new Map<string, readonly string[]>(OF_PROMETHEUS.map((name) => [name, []]));
    for (const { name, type, labels } of metrics) {
      known.set(name, labels);
      if (type === 'histogram')
        for (const part of ['bucket', 'sum', 'count']) known.set(`${name}_${part}`, [...labels, 'le']);
    }
    const labelsOf = (expression: string): string[] =>
      namesOf(expression).metrics.flatMap((name) => {
        const source = rules.find(({ record }) => record === name);
        return source ? labelsOf(source.expr) : (known.get(name) ?? []);
      });
    const ofRules = rules.map(({ record, alert, expr }): Expression => ({
      place: record ?? alert ?? '',
      expression: expr,
    }));
    const problems = [...ofRules, ...readDashboards(FOLDER)].flatMap(({ place, expression }) => {
      const used = namesOf(expression);
      const labels = [...COMMON_LABELS, ...LABELS_OF_PROMETHEUS, ...labelsOf(expression)];
      return [
        ...used.metrics.filter((name) => !known.has(name) && !recorded.includes(name)),
        ...used.labels.filter((label) => !labels.includes(label)),
      ].map((name) => `${place}: ${name}`);
    });
    expect(problems).toEqual([]);
  });
});
