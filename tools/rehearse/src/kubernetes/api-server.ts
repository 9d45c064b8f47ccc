import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort, poll } from '@heliograph/harness';
import type { RehearsalContext } from '../rehearsal';

const START_TIMEOUT_MS = 90_000;
const TOKEN = 'rehearsal';

export interface KubectlResult {
  succeeded: boolean;
  output: string;
}

/** A Kubernetes API server with its own etcd: it stores and validates objects, and no pod ever runs. */
export class ApiServer {
  private constructor(
    private readonly folder: string,
    private readonly kubeconfig: string,
  ) {}

  /** Starts both; they stop at the end of the rehearsal. */
  static async start(context: RehearsalContext): Promise<ApiServer> {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'heliograph-kubernetes-'));
    context.onEnd(() => rmSync(folder, { recursive: true, force: true }));
    const clientPort = await freePort();
    const peerPort = await freePort();
    const port = await freePort();
    const etcdUrl = `http://127.0.0.1:${clientPort}`;
    const peerUrl = `http://127.0.0.1:${peerPort}`;
    run(context, binaryOf(context, 'etcd'), [
      `--data-dir=${path.join(folder, 'etcd')}`,
      `--listen-client-urls=${etcdUrl}`,
      `--advertise-client-urls=${etcdUrl}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=default=${peerUrl}`,
    ]);
    const key = path.join(folder, 'service-accounts.pem');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(key, privateKey.export({ type: 'pkcs1', format: 'pem' }));
    const tokens = path.join(folder, 'tokens.csv');
    writeFileSync(tokens, `${TOKEN},rehearsal,rehearsal,system:masters\n`);
    run(context, binaryOf(context, 'kube-apiserver'), [
      `--etcd-servers=${etcdUrl}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${path.join(folder, 'certificates')}`,
      `--token-auth-file=${tokens}`,
      '--authorization-mode=RBAC',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${key}`,
      `--service-account-signing-key-file=${key}`,
      '--service-cluster-ip-range=10.96.0.0/16',
    ]);
    const kubeconfig = path.join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(port)));
    const server = new ApiServer(folder, kubeconfig);
    const isReady = (): boolean => server.kubectl(['get', '--raw', '/readyz']).succeeded;
    if (!(await poll(isReady, { timeoutMs: START_TIMEOUT_MS, everyMs: 1_000 })))
      throw new Error(`The API server is not ready after ${START_TIMEOUT_MS} ms.`);
    return server;
  }

  kubectl(args: readonly string[], input?: string): KubectlResult {
    const { status, stdout, stderr } = spawnSync('kubectl', [`--kubeconfig=${this.kubeconfig}`, ...args], {
      cwd: this.folder,
      encoding: 'utf8',
      ...(input === undefined ? {} : { input }),
    });
    return { succeeded: status === 0, output: `${stdout}${stderr}`.trim() };
  }

  /** The versions of the API groups that the server has, such as `apps/v1`. */
  apiVersions(): ReadonlySet<string> {
    return new Set(this.kubectl(['api-versions']).output.split('\n'));
  }

  version(): string {
    const { gitVersion } = JSON.parse(this.kubectl(['get', '--raw', '/version']).output) as { gitVersion: string };
    return gitVersion;
  }
}

/** The path of a program: in the folder KUBERNETES_BINARIES, in that of build-apiserver.sh, or in the PATH. */
function binaryOf({ root, log }: RehearsalContext, name: string): string {
  const built = path.join(root, 'tmp/kubernetes');
  const folders = [
    process.env['KUBERNETES_BINARIES'] ?? '',
    path.join(built, 'bin'),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  const find = (): string | undefined =>
    folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
  const found = find();
  if (found !== undefined) return found;
  log(`${name} is not installed: building it from Debian's source package, which takes minutes`);
  const script = path.join(root, 'tools/rehearse/src/kubernetes/build-apiserver.sh');
  const { status } = spawnSync(script, [built], { stdio: ['ignore', 'inherit', 'inherit'] });
  const result = find();
  if (status !== 0 || result === undefined)
    throw new Error(`${name} could not be built. Set KUBERNETES_BINARIES to a folder with etcd and kube-apiserver.`);
  return result;
}

function run(context: RehearsalContext, command: string, args: readonly string[]): void {
  const child: ChildProcess = spawn(command, args, { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  context.onEnd(async () => {
    child.kill('SIGKILL');
    await ended;
  });
}

function kubeconfigOf(port: number): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'rehearsal',
    contexts: [{ name: 'rehearsal', context: { cluster: 'rehearsal', user: 'rehearsal' } }],
    clusters: [
      { name: 'rehearsal', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } },
    ],
    users: [{ name: 'rehearsal', user: { token: TOKEN } }],
  };
}
