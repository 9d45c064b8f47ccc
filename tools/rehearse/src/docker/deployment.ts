import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RehearsalContext } from '../rehearsal';
import { output, type DockerEngine } from './docker-engine';
import { APPS } from './images';

export const GATEWAY_PORT = 18_080;
/** The secret with which a rehearsal signs payment events. */
export const PROCESSOR_SECRET = randomBytes(16).toString('hex');
export const APP_SECRET = randomBytes(16).toString('hex');

export interface Upstreams {
  smppPort: number;
  smtpPort: number;
  providerPort: number;
}

/** A deployment by the files of this repository, in a folder of its own: no file of the workspace changes. */
export class Deployment {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'deployment-'));
  readonly gatewayUrl: string;

  private constructor(
    private readonly engine: DockerEngine,
    private readonly root: string,
  ) {
    this.gatewayUrl = `http://${engine.publishedAddress}:${GATEWAY_PORT}`;
  }

  /** Copies the files and creates the secrets, as docs/operations/compose.md says. */
  static async prepare(context: RehearsalContext, engine: DockerEngine, upstreams: Upstreams): Promise<Deployment> {
    const deployment = new Deployment(engine, context.root);
    await deployment.create(upstreams);
    context.onEnd(() => deployment.remove());
    return deployment;
  }

  private async create({ smppPort, smtpPort, providerPort }: Upstreams): Promise<void> {
    for (const part of ['docker', 'deploy']) {
      const isOwn = (file: string): boolean => !/docker\/(?:secrets|settings|\.env$)/.test(file);
      cpSync(path.join(this.root, part), path.join(this.folder, part), { recursive: true, filter: isOwn });
    }
    await output(process.execPath, [this.file('create-secrets.mjs')], {});
    const host = this.engine.hostAddress;
    const carrier = {
      name: 'main',
      host,
      port: smppPort,
      systemId: 'heliograph',
      password: randomBytes(4).toString('hex'),
    };
    this.secret('SMS_CARRIERS', JSON.stringify([carrier]));
    this.secret('EMAIL_SMTP_URL', `smtp://${host}:${smtpPort}`);
    this.secret('CHATAPP_APP_SECRET', APP_SECRET);
    this.secret('CHATAPP_ACCESS_TOKEN', 'token-of-the-rehearsal');
    this.secret('BILLING_SECRET_KEY', `sk_${randomBytes(16).toString('hex')}`);
    this.secret('BILLING_WEBHOOK_SECRET', PROCESSOR_SECRET);
    const settings = {
      GATEWAY_ADDRESS: `0.0.0.0:${GATEWAY_PORT}`,
      GATEWAY_TLS_ADDRESS: '127.0.0.1:18443',
      EMAIL_RETURN_ADDRESS: '127.0.0.1:12525',
      PUBLIC_BASE_URL: this.gatewayUrl,
      // Plain http, and the simulated mail server has a self-signed certificate.
      ALLOW_UNSAFE_SETTINGS: 'true',
      EMAIL_SMTP_REQUIRE_TLS: 'false',
      EMAIL_SMTP_VERIFY_TLS: 'false',
      EMAIL_DNS_SERVERS: '127.0.0.1:1',
      EMAIL_RETURN_PATH_DOMAIN: 'returns.rehearsal.example',
      EMAIL_PLATFORM_FROM: 'no-reply@rehearsal.example',
      CHATAPP_GRAPH_URL: `http://${host}:${providerPort}`,
      CHATAPP_PHONE_NUMBER_ID: '106540352242922',
      CHATAPP_BUSINESS_ACCOUNT_ID: '102290129340398',
      CHATAPP_PRODUCT: 'chatapp',
      BOT_STARTS_PER_5_MINUTES: '0',
      HELIOGRAPH_VERSION: 'latest',
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    writeFileSync(this.file('.env'), `${lines.join('\n')}\n`);
  }

  file(name: string): string {
    return path.join(this.folder, 'docker', name);
  }

  private secret(name: string, value: string): void {
    writeFileSync(path.join(this.file('secrets'), name), value);
  }

  /** The values of the secrets that are long enough to be recognized. */
  secrets(): string[] {
    const folder = this.file('secrets');
    return readdirSync(folder)
      .map((name) => readFileSync(path.join(folder, name), 'utf8').trim())
      .filter((value) => value.length >= 12);
  }

  compose(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
    return this.engine.docker(['compose', '--file', this.file('compose.yaml'), ...args], { env });
  }

  /** Starts everything and waits until it is healthy. Rejects with the last log lines of the containers that are not. */
  async up(): Promise<void> {
    try {
      await this.compose(['up', '--detach', '--wait', '--wait-timeout', '240']);
    } catch {
      const states = await this.compose(['ps', '--all', '--format', '{{.Service}}: {{.Status}}']);
      const unhealthy = states.split('\n').filter((line) => !/\(healthy\)|Exited \(0\)/.test(line));
      for (const line of unhealthy) {
        const [service = ''] = line.split(':');
        console.error(await this.compose(['logs', '--tail', '5', service]));
      }
      throw new Error(`these containers are not healthy: ${unhealthy.join(', ')}`);
    }
  }

  /** Runs docker/release.mjs. */
  release(...args: string[]): Promise<string> {
    return output(process.execPath, [this.file('release.mjs'), ...args], { env: this.engine.environment });
  }

  /** Runs an operator command, with a file of the workspace mounted at /input if it is given. */
  ops(args: readonly string[], input?: string): Promise<string> {
    const mount = input === undefined ? [] : ['--volume', `${input}:/input:ro`];
    return this.compose(['run', '--rm', '--no-deps', ...mount, 'ops', ...args]);
  }

  /** The ids of the running containers, by the names of their services. */
  async containers(): Promise<Map<string, string>> {
    const text = await this.compose(['ps', '--format', '{{.Service}} {{.ID}}']);
    return new Map(text.split('\n').map((line) => line.split(' ') as [string, string]));
  }

  /** The services that do not respond with 200 to the readiness check under their own name. */
  async unreadyServices(): Promise<string[]> {
    const statuses = await Promise.all(
      APPS.map(async (name) => {
        const response = await fetch(`${this.gatewayUrl}/health/ready/${name}`).catch(() => null);
        return [name, response?.status === 200] as const;
      }),
    );
    return statuses.filter(([, isReady]) => !isReady).map(([name]) => name);
  }

  private async remove(): Promise<void> {
    await this.compose(['--profile', 'ops', 'down', '--volumes', '--timeout', '5', '--remove-orphans']);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
