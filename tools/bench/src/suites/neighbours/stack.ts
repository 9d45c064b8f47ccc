import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createScratchDatabase, ToolProcess, untilReady, type ScratchDatabase } from '@heliograph/harness';
import type { Role } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { CHATAPP_PHONE, CHATAPP_SECRET } from '../../calls/chatapp-calls';
import { NO_BOT_LIMITS, removeQueues, serviceConfig, startService, type RunningService } from '../service-config';
import { seedNeighbours, type Neighbour } from './seed-neighbours';

/** The processes that the cases need. */
const SERVICES = {
  'sms-api': { entry: 'sms-api', role: 'api' },
  'sms-worker': { entry: 'sms-api', role: 'worker' },
  'email-api': { entry: 'email-api', role: 'api' },
  'email-worker': { entry: 'email-api', role: 'worker' },
  'account-api': { entry: 'account-api', role: 'api' },
  'account-worker': { entry: 'account-api', role: 'worker' },
  webhooks: { entry: 'account-api', role: 'webhooks' },
  'chatapp-hook': { entry: 'chatapp-hook', role: 'api' },
  'chatapp-worker': { entry: 'chatapp-hook', role: 'worker' },
  'bot-runtime': { entry: 'bot-runtime', role: 'all' },
} as const satisfies Record<string, { entry: string; role: Role }>;

export type ServiceName = keyof typeof SERVICES;
export const SERVICE_NAMES = Object.keys(SERVICES) as ServiceName[];

const READY_MS = 120_000;
const POOL_SIZE = 4;
/** The default limit of the messaging APIs. It applies to all APIs here, so that B can be measured more often than 120 times a minute. */
export const CALLS_PER_MINUTE = 10_000;

/** The services, the simulators of their upstreams and a database with the organizations A and B. */
export class Stack {
  private readonly services = new Map<ServiceName, RunningService[]>();

  private constructor(
    readonly database: ScratchDatabase,
    /** Connections of the measurement itself. */
    readonly pool: Pool,
    readonly neighbours: Record<'a' | 'b', Neighbour>,
    private readonly simulators: Record<'carrier' | 'mailServer' | 'receiver', ToolProcess>,
    readonly receiverUrl: string,
    private readonly config: Record<string, string> & { AMQP_PREFIX: string },
  ) {}

  /** Starts `processes` processes of each of the services. */
  static async start(name: string, names: readonly ServiceName[], processes: number): Promise<Stack> {
    const database = await createScratchDatabase(`heliograph_bench_neighbours_${process.pid}_${name}`);
    const neighbours = await seedNeighbours(database.url);
    const pool = new Pool({ connectionString: database.url, max: POOL_SIZE });
    // The database is dropped also after a failure, while connections are open.
    pool.on('error', () => undefined);
    const carrier = new ToolProcess('carrier', 'carrier');
    const mailServer = new ToolProcess('mail server', 'mail-server', {}, ['0']);
    const receiver = new ToolProcess('receiver', 'webhook-receiver');
    const { smppPort } = await carrier.nextJson<{ smppPort: number }>();
    const { smtpPort } = await mailServer.nextJson<{ smtpPort: number }>();
    const { port: receiverPort } = await receiver.nextJson<{ port: number }>();
    const config = {
      ...serviceConfig(database),
      ...NO_BOT_LIMITS,
      AMQP_PREFIX: `neighbours-${process.pid}-${name}.`,
      REDIS_URL: process.env['REDIS_URL'] ?? '',
      LOG_LEVEL: 'error',
      TRUST_PROXY: '1',
      MESSAGING_RATE_PER_MINUTE: String(CALLS_PER_MINUTE),
      ACCOUNT_RATE_PER_MINUTE: String(CALLS_PER_MINUTE),
      PUBLIC_BASE_URL: 'http://bench.example',
      REGISTRATION: 'open',
      REPORTS_DIR: mkdtempSync(path.join(os.tmpdir(), 'neighbours-reports-')),
      SMS_CARRIERS: JSON.stringify([
        { name: 'bench', host: '127.0.0.1', port: smppPort, systemId: 'bench', binds: 2, windowSize: 100 },
      ]),
      EMAIL_SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
      EMAIL_SMTP_REQUIRE_TLS: 'false',
      EMAIL_SMTP_VERIFY_TLS: 'false',
      EMAIL_RETURN_PATH_DOMAIN: 'returns.bench.example',
      EMAIL_TOKEN_SECRET: 'the-secret-of-the-benchmark',
      EMAIL_PLATFORM_FROM: 'no-reply@bench.example',
      EMAIL_DNS_SERVERS: '127.0.0.1:1',
      CHATAPP_PHONE_NUMBER_ID: CHATAPP_PHONE,
      CHATAPP_APP_SECRET: CHATAPP_SECRET,
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    };
    const receiverUrl = `http://127.0.0.1:${receiverPort}`;
    const stack = new Stack(database, pool, neighbours, { carrier, mailServer, receiver }, receiverUrl, config);
    try {
      await Promise.all(names.map((service) => stack.startService(service, processes)));
    } catch (error) {
      await stack.remove();
      throw error;
    }
    return stack;
  }

  portsOf(name: ServiceName): number[] {
    return this.running(name).map(({ port }) => port);
  }

  /** The base URL of one of the processes of a service, in turn. */
  urlOf(name: ServiceName, number: number): string {
    const ports = this.portsOf(name);
    return `http://127.0.0.1:${ports[number % ports.length]}`;
  }

  /** Whether a query returns a row. */
  async hasRow(query: string, values: unknown[]): Promise<boolean> {
    const { rowCount } = await this.pool.query(query, values);
    return rowCount !== null && rowCount > 0;
  }

  /** All processes of services and simulators. */
  processes(): ToolProcess[] {
    const services = [...this.services.values()].flat().map(({ process }) => process);
    return [...services, ...Object.values(this.simulators)];
  }

  /** Kills all processes, because the remaining work of A must not delay the next case, and removes what they stored. */
  async remove(): Promise<void> {
    await Promise.all(this.processes().map((process) => process.stop('SIGKILL')));
    await this.pool.end();
    await this.database.drop();
    await removeQueues(this.config);
    rmSync(this.config['REPORTS_DIR'] ?? '', { recursive: true, force: true });
  }

  private running(name: ServiceName): RunningService[] {
    const services = this.services.get(name);
    if (!services) throw new Error(`The case does not list the service ${name}.`);
    return services;
  }

  private async startService(name: ServiceName, processes: number): Promise<void> {
    const { entry, role } = SERVICES[name];
    const started: RunningService[] = [];
    for (let number = 0; number < processes; number++) {
      started.push(await startService(`${name}${processes > 1 ? ` ${number + 1}` : ''}`, entry, role, this.config));
    }
    this.services.set(name, started);
    const failed = started.map(async ({ process }) => {
      const outcome = await process.waitForExit();
      throw new Error(`${process.name} ended with ${outcome} before it was ready.`);
    });
    await Promise.race([Promise.all(started.map(({ port }) => untilReady(port, READY_MS))), ...failed]);
  }
}
