import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { accountApi } from '@heliograph/account-api';
import { billingHook } from '@heliograph/billing-hook';
import { botRuntime } from '@heliograph/bot-runtime';
import { chatappApi } from '@heliograph/chatapp-api';
import { chatappHook } from '@heliograph/chatapp-hook';
import { emailApi } from '@heliograph/email-api';
import { smsApi } from '@heliograph/sms-api';
import ts from 'typescript';
import { parse } from 'yaml';
import { compose } from './compose';
import { exampleSettings } from './example-settings';
import {
  environmentOf,
  renderKustomization,
  selects,
  typedModule,
  type Container,
  type Manifest,
  type PodSpec,
} from './kubernetes';
import { workspaceRoot } from './workspace-copy';

const OVERLAYS = ['overlays/single-node', 'overlays/production'];
const FOLDERS = [...OVERLAYS, ...OVERLAYS.map((overlay) => `${overlay}/migration`), 'data-stores'];
/** A process ends by itself this long after its grace period. */
const FORCED_EXIT_MS = 10_000;

const definitions = [smsApi, emailApi, chatappApi, chatappHook, botRuntime, accountApi, billingHook];
const rendered = new Map(FOLDERS.map((folder) => [folder, renderKustomization(folder)]));

const of = (folder: string, kind: string): Manifest[] =>
  (rendered.get(folder) ?? []).filter((manifest) => manifest.kind === kind);

interface Workload {
  name: string;
  labels: Record<string, string>;
  pod: PodSpec;
  container: Container;
}

function workloadsOf(folder: string): Workload[] {
  return of(folder, 'Deployment').map(({ metadata, spec }) => {
    const { spec: pod, metadata: template } = spec!.template!;
    return { name: metadata.name, labels: template.labels, pod, container: pod.containers[0]! };
  });
}

/** Values for the settings that a Secret contains. */
const SECRETS: Record<string, string> = {
  DATABASE_URL: 'postgres://service:chosen-by-the-operator@heliograph-db-rw:5432/heliograph',
  AMQP_URL: 'amqp://heliograph:chosen-by-the-operator@heliograph-broker:5672',
  REDIS_URL: 'redis://heliograph-redis-master:6379',
  CHATAPP_ACCESS_TOKEN: 'issued-by-the-provider',
  CHATAPP_VERIFY_TOKEN: 'chosen-by-the-operator',
  PLATFORM_OPERATOR_TOKEN: 'chosen-by-the-operator-0123456789abcdef',
  BILLING_SECRET_KEY: 'issued-by-the-processor',
  BILLING_WEBHOOK_SECRET: 'issued-by-the-processor-too',
  REPORTS_S3_URL: 'https://user:password@storage.example.com/reports?region=eu-central-1',
};

function secretOf(name: string): string {
  const value = exampleSettings[name] || SECRETS[name];
  if (!value) throw new Error(`The spec has no value for the secret ${name}.`);
  return value;
}

/** The environment with the contents of the files instead of their paths. */
function withSecrets(environment: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) =>
      name.endsWith('_FILE')
        ? [name.slice(0, -'_FILE'.length), secretOf(name.slice(0, -'_FILE'.length))]
        : [name, value],
    ),
  );
}

describe.each(FOLDERS)('the manifests in %s', (folder) => {
  it('have only fields and values that their kinds allow', () => {
    const target = path.join(workspaceRoot, 'tmp', `kubernetes-${process.pid}-${folder.replaceAll('/', '-')}`);
    mkdirSync(target, { recursive: true });
    try {
      const file = path.join(target, 'manifests.ts');
      writeFileSync(file, typedModule(rendered.get(folder)!));
      const program = ts.createProgram([file], {
        module: ts.ModuleKind.Node16,
        moduleResolution: ts.ModuleResolutionKind.Node16,
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        types: [],
      });
      const problems = ts.getPreEmitDiagnostics(program);
      expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
    } finally {
      rmSync(target, { recursive: true });
    }
  }, 60_000);

  it('belong to the namespace, whose pods have the restricted profile', () => {
    const namespaced = (rendered.get(folder) ?? []).filter(({ kind }) => kind !== 'Namespace');
    expect(new Set(namespaced.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['heliograph']));
    for (const { metadata } of of(folder, 'Namespace'))
      expect(metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
  });
});

describe.each(OVERLAYS)('the processes in %s', (folder) => {
  const workloads = workloadsOf(folder);
  const services = workloads.filter(({ name }) => name !== 'gateway');
  const named = workloads.map((workload) => [workload.name, workload] as const);
  const namedServices = services.map((workload) => [workload.name, workload] as const);

  it('are those of the deployment on one host', () => {
    const long = Object.entries(compose.services).filter(([, { image }]) => image.startsWith('heliograph/'));
    const expected = long.filter(([name]) => !name.includes('migrate') && name !== 'ops').map(([name]) => name);
    expect(services.map(({ name }) => name).sort()).toEqual(expected.sort());
  });

  it.each(named)('%s has probes, requests, a memory limit and the restricted profile', (_, { pod, container }) => {
    expect(pod.containers).toHaveLength(1);
    expect(container.resources).toMatchObject({
      requests: { cpu: expect.any(String) as string, memory: expect.any(String) as string },
      limits: { memory: expect.any(String) as string },
    });
    for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
      expect(probe?.httpGet.path).toMatch(/^\/health\//);
      expect(container.ports?.map(({ name }) => name)).toContain(probe?.httpGet.port);
    }
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.volumeMounts?.map(({ mountPath }) => mountPath)).toContain('/tmp');
  });

  it.each(named)('%s has its own service account without a token', (name, { pod }) => {
    expect(pod).toMatchObject({ serviceAccountName: name, automountServiceAccountToken: false });
    const account = of(folder, 'ServiceAccount').find(({ metadata }) => metadata.name === name);
    expect(account?.automountServiceAccountToken).toBe(false);
  });

  it.each(named)('%s is spread over nodes and zones and has a disruption budget', (_, { pod, labels }) => {
    const spread = pod.topologySpreadConstraints ?? [];
    expect(spread.map(({ topologyKey }) => topologyKey)).toEqual([
      'kubernetes.io/hostname',
      'topology.kubernetes.io/zone',
    ]);
    for (const { labelSelector } of spread) expect(selects(labelSelector, labels)).toBe(true);
    const budgets = of(folder, 'PodDisruptionBudget').filter(({ spec }) => selects(spec!.selector!, labels));
    expect(budgets).toHaveLength(1);
  });

  it.each(namedServices)('%s has a valid configuration without unknown settings', (_, { container }) => {
    const app = container.image.replace(/^heliograph\//, '').replace(/:.*$/, '');
    const definition = definitions.find(({ name }) => name === app)!;
    const environment = environmentOf(rendered.get(folder)!, container);
    const settings: object = definition.loadConfig({ ...withSecrets(environment), NODE_ENV: 'production' });
    const unknown = Object.keys(withSecrets(environment)).filter((name) => !(name in settings));
    expect(unknown).toEqual([]);
  });

  it.each(namedServices)('%s finds every secret file in a Secret that is mounted', (_, { container, pod }) => {
    const files = Object.entries(environmentOf(rendered.get(folder)!, container)).filter(([name]) =>
      name.endsWith('_FILE'),
    );
    expect(files.length).toBeGreaterThan(2);
    for (const [name, file] of files) {
      const mount = container.volumeMounts!.find(({ mountPath }) => path.dirname(file) === mountPath);
      expect([name, path.basename(file), mount?.readOnly]).toEqual([name, name.slice(0, -'_FILE'.length), true]);
      expect(pod.volumes!.find((volume) => volume.name === mount!.name)?.secret).toBeDefined();
    }
  });

  it.each(namedServices)('%s may complete its work before it is killed', (_, { container, pod }) => {
    const { SHUTDOWN_DELAY_MS, SHUTDOWN_GRACE_MS } = environmentOf(rendered.get(folder)!, container);
    const neededMs = Number(SHUTDOWN_DELAY_MS) + Number(SHUTDOWN_GRACE_MS) + FORCED_EXIT_MS;
    expect(pod.terminationGracePeriodSeconds! * 1_000).toBeGreaterThan(neededMs);
  });

  it.each(named)('%s may only make and get the calls that a policy allows', (_, { labels }) => {
    const policies = of(folder, 'NetworkPolicy').filter(({ spec }) => selects(spec!.podSelector!, labels));
    const names = policies.map(({ metadata }) => metadata.name);
    expect(names).toEqual(expect.arrayContaining(['deny-all', 'dns']));
    if (labels['app.kubernetes.io/component'] === 'service')
      expect(names).toEqual(expect.arrayContaining(['postgresql', 'rabbitmq', 'redis', 'monitoring']));
  });

  it('are reached by the gateway under the names and the port in its configuration', () => {
    const gateway = of(folder, 'ConfigMap').find(
      ({ metadata }) => metadata.name.startsWith('gateway-') && !metadata.name.startsWith('gateway-additions'),
    );
    const upstreams = [...gateway!.data!['default.conf']!.matchAll(/server ([\w-]+):(\d+)/g)];
    expect(upstreams.length).toBe(definitions.length);
    for (const [, host, port] of upstreams) {
      const service = of(folder, 'Service').find(({ metadata }) => metadata.name === host)!;
      expect(service.spec!.ports!.map((one) => String(one.port))).toContain(port);
      expect(services.filter(({ labels }) => selects({ matchLabels: service.spec!.selector! }, labels))).toHaveLength(
        1,
      );
    }
  });
});

describe.each(OVERLAYS)('the migration in %s', (overlay) => {
  const folder = `${overlay}/migration`;
  const { metadata, spec } = of(folder, 'Job')[0]!.spec!.template!;
  const container = spec.containers[0]!;

  it('has the version of the services', () => {
    const versionOf = (image: string) => image.split(':')[1];
    const versions = new Set(
      workloadsOf(overlay)
        .filter(({ name }) => name !== 'gateway')
        .map((one) => versionOf(one.container.image)),
    );
    expect([...versions]).toEqual([versionOf(container.image)]);
  });

  it('creates the login of every service, from its own Secret', () => {
    const urls = container.env!.filter(({ name }) => name !== 'DATABASE_URL_FILE');
    const expected = definitions.map(({ name }) => `${name.toUpperCase().replaceAll('-', '_')}_DATABASE_URL_FILE`);
    expect(urls.map(({ name }) => name).sort()).toEqual(expected.sort());
    for (const { value = '' } of container.env!) {
      const mount = container.volumeMounts!.find(({ mountPath }) => mountPath === path.dirname(value))!;
      const volume = spec.volumes!.find(({ name }) => name === mount.name)!;
      expect(volume.secret?.secretName).toBe(path.basename(path.dirname(value)));
    }
  });

  it('has the restricted profile, and reaches only the database', () => {
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    const policies = of(overlay, 'NetworkPolicy').filter((policy) =>
      selects(policy.spec!.podSelector!, metadata.labels),
    );
    expect(policies.map((policy) => policy.metadata.name).sort()).toEqual(['deny-all', 'dns', 'postgresql']);
  });
});

describe('create-secrets.sh', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'heliograph-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const create = () =>
    spawnSync('deploy/kubernetes/create-secrets.sh', [folder], { cwd: workspaceRoot, encoding: 'utf8' });
  const contents = () =>
    Object.fromEntries(
      readdirSync(folder).flatMap((secret) =>
        readdirSync(path.join(folder, secret)).map((key) => [
          `${secret}/${key}`,
          readFileSync(path.join(folder, secret, key), 'utf8'),
        ]),
      ),
    );

  it('creates every key of every Secret that the manifests mount, and changes none later', () => {
    expect(create().status).toBe(0);
    const wanted = OVERLAYS.flatMap((overlay) =>
      workloadsOf(overlay).flatMap(({ container, pod }) =>
        Object.entries(environmentOf(rendered.get(overlay)!, container))
          .filter(([name]) => name.endsWith('_FILE'))
          .map(([, file]) => {
            const mount = container.volumeMounts!.find(({ mountPath }) => mountPath === path.dirname(file))!;
            const { secret } = pod.volumes!.find(({ name }) => name === mount.name)!;
            return `${secret!.secretName}/${path.basename(file)}`;
          }),
      ),
    );
    const created = contents();
    expect(Object.keys(created).sort()).toEqual([...new Set([...wanted, 'owner/DATABASE_URL'])].sort());
    expect(create().status).toBe(0);
    expect(contents()).toEqual(created);
  });
});

describe('the autoscalers', () => {
  const autoscalers = of('overlays/production', 'HorizontalPodAutoscaler');
  const { external } = parse(
    readFileSync(path.join(workspaceRoot, 'deploy/kubernetes/metrics-adapter/rules.yaml'), 'utf8'),
  ) as { external: { seriesQuery: string; name: { as: string } }[] };

  it('cover every process but the one that has little to do', () => {
    const scaled = autoscalers.map(({ spec }) => spec!.scaleTargetRef!.name).sort();
    const names = workloadsOf('overlays/production').map(({ name }) => name);
    expect(scaled).toEqual(names.filter((name) => name !== 'chatapp-worker').sort());
    for (const { spec } of autoscalers) expect(spec!.minReplicas).toBeGreaterThanOrEqual(2);
  });

  it('use external metrics that the metrics adapter serves', () => {
    const used = autoscalers.flatMap(({ spec }) =>
      spec!.metrics!.flatMap((metric) => metric.external?.metric.name ?? []),
    );
    expect(new Set(used)).toEqual(new Set(external.map(({ name }) => name.as)));
  });

  it('of the metrics adapter read metrics and queues that the services have', () => {
    const sources = ['libs', 'apps'].flatMap((folder) =>
      readdirSync(path.join(workspaceRoot, folder), { recursive: true })
        .map(String)
        .filter((file) => file.endsWith('.ts') && !/spec\.ts$|node_modules/.test(file))
        .map((file) => readFileSync(path.join(workspaceRoot, folder, file), 'utf8')),
    );
    const queues = autoscalers.flatMap(({ spec }) =>
      spec!.metrics!.flatMap((metric) => Object.values(metric.external?.metric.selector?.matchLabels ?? {})),
    );
    const series = external.map(({ seriesQuery }) => seriesQuery.replace(/\{.*$/, ''));
    expect(queues.length).toBeGreaterThan(2);
    for (const name of [...series, ...queues])
      expect([name, sources.some((source) => source.includes(`'${name}'`))]).toEqual([name, true]);
  });
});
