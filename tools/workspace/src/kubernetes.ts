import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { workspaceRoot } from './workspace-copy';

export interface Labels {
  [name: string]: string;
}

export interface LabelSelector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
}

export interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds?: number;
  failureThreshold?: number;
}

export interface Container {
  name: string;
  image: string;
  args?: string[];
  env?: { name: string; value?: string }[];
  envFrom?: { configMapRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  resources?: { requests?: { cpu?: string; memory?: string }; limits?: { memory?: string } };
  securityContext?: object;
}

export interface PodSpec {
  serviceAccountName?: string;
  automountServiceAccountToken?: boolean;
  terminationGracePeriodSeconds?: number;
  securityContext?: object;
  topologySpreadConstraints?: { topologyKey: string; labelSelector: LabelSelector }[];
  containers: Container[];
  volumes?: { name: string; secret?: { secretName: string } }[];
}

/** The parts of the manifests that the checks read. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels };
  data?: Record<string, string>;
  automountServiceAccountToken?: boolean;
  spec?: {
    replicas?: number;
    selector?: LabelSelector & Labels;
    template?: { metadata: { labels: Labels }; spec: PodSpec };
    minReplicas?: number;
    scaleTargetRef?: { kind: string; name: string };
    metrics?: { type: string; external?: { metric: { name: string; selector?: LabelSelector } } }[];
    podSelector?: LabelSelector;
    policyTypes?: string[];
    ports?: { name: string; port: number }[];
  };
}

/** Renders a Kustomization below deploy/kubernetes, as `kubectl apply -k` does. */
export function renderKustomization(folder: string): Manifest[] {
  const { error, status, stdout, stderr } = spawnSync('kubectl', ['kustomize', `deploy/kubernetes/${folder}`], {
    cwd: workspaceRoot,
    encoding: 'utf8',
    maxBuffer: 32 * 1024 * 1024,
  });
  if (error) throw new Error(`kubectl 1.27 or later is required to render ${folder}: ${error.message}`);
  if (status !== 0) throw new Error(`kubectl kustomize ${folder}: ${stderr}`);
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
}

/** Whether labels match a selector. An empty selector matches everything. */
export function selects({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Labels): boolean {
  const equal = Object.entries(matchLabels).every(([name, value]) => labels[name] === value);
  return equal && matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''));
}

/** The environment variables of a container, with those of its ConfigMaps. */
export function environmentOf(manifests: readonly Manifest[], container: Container): Record<string, string> {
  const ofMaps = (container.envFrom ?? []).map(({ configMapRef: { name } }) => {
    const map = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name);
    if (!map?.data) throw new Error(`There is no ConfigMap ${name}.`);
    return map.data;
  });
  const own = (container.env ?? []).map(({ name, value = '' }) => [name, value] as const);
  return Object.assign({}, ...ofMaps, Object.fromEntries(own)) as Record<string, string>;
}

/** TypeScript that does not compile if a manifest of a built-in kind has an unknown or invalid field. */
export function typedModule(manifests: readonly Manifest[]): string {
  const builtIn = manifests.filter(({ apiVersion }) => !isCustom(apiVersion));
  return builtIn
    .map((manifest, index) => {
      const [group, version] = manifest.apiVersion.includes('/')
        ? manifest.apiVersion.split('/')
        : ['', manifest.apiVersion];
      const module = path.posix.join('kubernetes-models', group ?? '', version ?? '', manifest.kind);
      return [
        `// ${manifest.kind} ${manifest.metadata.name}`,
        `import type { I${manifest.kind} as Kind${index} } from '${module}';`,
        `export const manifest${index}: Kind${index} = ${JSON.stringify(manifest, null, 2)};`,
      ].join('\n');
    })
    .join('\n');
}

/** Whether a kind is defined by an operator instead of Kubernetes. */
export function isCustom(apiVersion: string): boolean {
  const [group = ''] = apiVersion.split('/');
  return group.includes('.') && !group.endsWith('.k8s.io');
}
