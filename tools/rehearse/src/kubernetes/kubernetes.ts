import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { atMost, holds, information, type Finding, type Rehearsal } from '../rehearsal';
import { ApiServer } from './api-server';

const FOLDERS = [
  'overlays/single-node',
  'overlays/single-node/migration',
  'overlays/production',
  'overlays/production/migration',
  'data-stores',
] as const;

/** Earlier versions of the same kinds, with the same fields, for an API server that does not have the current ones yet. */
const EARLIER_VERSIONS: Readonly<Record<string, string>> = {
  'policy/v1': 'policy/v1beta1',
  'autoscaling/v2': 'autoscaling/v2beta2',
};

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec?: { template?: { spec?: object } };
}

export const kubernetes: Rehearsal = {
  summary: 'Have a real Kubernetes API server accept the manifests of deploy/kubernetes.',
  run: async (context) => {
    const server = await ApiServer.start(context);
    context.log(`Kubernetes ${server.version()} is ready`);
    const versions = server.apiVersions();
    const findings = [information('Kubernetes', server.version())];
    const rendered = new Map(FOLDERS.map((folder) => [folder, render(context.root, folder)]));
    // A dry run stores nothing, and everything else needs the namespace.
    const namespace = [...rendered.values()].flat().find(({ kind }) => kind === 'Namespace');
    server.kubectl(['apply', '--filename=-'], JSON.stringify(namespace));
    for (const [folder, manifests] of rendered) {
      findings.push(...check(server, versions, folder, manifests));
      context.log(`${folder}: done`);
    }
    const deployment = rendered.get('overlays/production')?.find(({ kind }) => kind === 'Deployment');
    if (!deployment) throw new Error('The overlay has no Deployment.');
    findings.push(
      holds('a Deployment with an unknown field is refused', !dryRun(server, withUnknownField(deployment)).succeeded),
    );
    return findings;
  },
};

function check(
  server: ApiServer,
  versions: ReadonlySet<string>,
  folder: string,
  manifests: readonly Manifest[],
): Finding[] {
  const refused: string[] = [];
  const earlier = new Set<string>();
  const unknown = new Set<string>();
  let accepted = 0;
  for (const manifest of manifests) {
    const apiVersion = versions.has(manifest.apiVersion) ? manifest.apiVersion : EARLIER_VERSIONS[manifest.apiVersion];
    if (apiVersion === undefined || !versions.has(apiVersion)) {
      unknown.add(`${manifest.kind} (${manifest.apiVersion})`);
      continue;
    }
    if (apiVersion !== manifest.apiVersion) earlier.add(`${manifest.kind} as ${apiVersion}`);
    const { succeeded, output } = dryRun(server, { ...manifest, apiVersion });
    if (succeeded) accepted++;
    else refused.push(`${manifest.kind} ${manifest.metadata.name}: ${output}`);
  }
  for (const problem of refused) console.error(problem);
  return [
    information(`${folder}: accepted objects`, String(accepted)),
    atMost(`${folder}: refused objects`, refused.length, 0),
    ...[...earlier].map((text) => information(`${folder}: checked in an earlier version`, text)),
    ...[...unknown].map((text) => information(`${folder}: kind of an operator, not checked`, text)),
  ];
}

function dryRun(server: ApiServer, manifest: Manifest): { succeeded: boolean; output: string } {
  const args = ['apply', '--server-side', '--dry-run=server', '--validate=strict', '--filename=-'];
  return server.kubectl(args, JSON.stringify(manifest));
}

function withUnknownField(manifest: Manifest): Manifest {
  const template = { ...manifest.spec?.template, spec: { ...manifest.spec?.template?.spec, unknownField: 'x' } };
  return { ...manifest, spec: { ...manifest.spec, template } };
}

function render(root: string, folder: string): Manifest[] {
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', `deploy/kubernetes/${folder}`], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 32 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`kubectl kustomize ${folder}: ${stderr}`);
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
}
