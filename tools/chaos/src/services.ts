import { setPriority } from 'node:os';
import { freePort, ToolProcess, untilReady } from '@heliograph/harness';
import type { Role } from '@heliograph/service-kit';

/** The processes of a run. */
const SERVICES = {
  'sms-api': { entry: 'sms-api', role: 'api' },
  'sms-worker-1': { entry: 'sms-api', role: 'worker' },
  'sms-worker-2': { entry: 'sms-api', role: 'worker' },
  'chatapp-1': { entry: 'chatapp-api', role: 'all' },
  'chatapp-2': { entry: 'chatapp-api', role: 'all' },
  'chatapp-hook': { entry: 'chatapp-hook', role: 'all' },
  'email-api': { entry: 'email-api', role: 'api' },
  'email-worker': { entry: 'email-api', role: 'worker' },
  'billing-api': { entry: 'billing-hook', role: 'api' },
  'billing-worker': { entry: 'billing-hook', role: 'worker' },
  'bot-1': { entry: 'bot-runtime', role: 'all' },
  'bot-2': { entry: 'bot-runtime', role: 'all' },
  'webhooks-1': { entry: 'account-api', role: 'webhooks' },
  'webhooks-2': { entry: 'account-api', role: 'webhooks' },
  'account-api': { entry: 'account-api', role: 'all' },
} as const satisfies Record<string, { entry: string; role: Role }>;

/** Many processes start concurrently, possibly on a busy machine. */
const READY_TIMEOUT_MS = 60_000;
const START_ATTEMPTS = 10;
/**
 * The niceness of the services. The simulated upstreams and the clients share one process with the checks. On a machine that
 * is busy with fifteen services, that process gets too little of the processor, and its upstreams answer later than the
 * time-outs of a service allow: no message leaves any more, although nothing is wrong with the service.
 */
const NICENESS = 5;

export type ServiceName = keyof typeof SERVICES;

export const SMS = ['sms-api', 'sms-worker-1', 'sms-worker-2'] as const satisfies readonly ServiceName[];
export const EMAIL = ['email-api', 'email-worker'] as const satisfies readonly ServiceName[];
export const CHATAPP = ['chatapp-1', 'chatapp-2', 'chatapp-hook'] as const satisfies readonly ServiceName[];
export const BOTS = ['bot-1', 'bot-2'] as const satisfies readonly ServiceName[];
export const WEBHOOKS = ['webhooks-1', 'webhooks-2'] as const satisfies readonly ServiceName[];
export const BILLING = ['billing-api', 'billing-worker'] as const satisfies readonly ServiceName[];

const NAMES = Object.keys(SERVICES) as ServiceName[];

/** The services of a run, each a process that can be killed and started again. */
export class Services {
  private readonly processes = new Map<ServiceName, ToolProcess>();
  private readonly ports = new Map<ServiceName, number>();
  private readonly wrongExits: string[] = [];

  private constructor(
    private readonly config: Record<string, string>,
    private readonly names: readonly ServiceName[],
  ) {}

  /** Starts the services of this set. */
  static async start(config: Record<string, string>, needed: ReadonlySet<ServiceName>): Promise<Services> {
    const services = new Services(
      config,
      NAMES.filter((name) => needed.has(name)),
    );
    // The kernel may choose a port again that nobody listens on yet.
    const ports = new Set<number>();
    while (ports.size < NAMES.length) ports.add(await freePort());
    const free = [...ports];
    for (const name of NAMES) services.ports.set(name, free.pop() ?? 0);
    await Promise.all(services.names.map((name) => services.startOne(name)));
    return services;
  }

  /** Whether a service is part of the run. */
  has(name: ServiceName): boolean {
    return this.names.includes(name);
  }

  urlOf(name: ServiceName): string {
    return `http://127.0.0.1:${this.portOf(name)}`;
  }

  /** The id of the running process of a service. */
  pidOf(name: ServiceName): number {
    return this.processes.get(name)?.pid ?? 0;
  }

  /** Kills processes at the same time. */
  async kill(...names: ServiceName[]): Promise<void> {
    await Promise.all(names.map((name) => this.processes.get(name)?.stop('SIGKILL')));
  }

  /** Stops a process as a deployment does. */
  async terminate(name: ServiceName): Promise<void> {
    const code = await this.processes.get(name)?.stop('SIGTERM');
    if (code !== 0) this.wrongExits.push(`${name} exited with ${code} after SIGTERM`);
  }

  /** Starts a process. Retries, as a supervisor does, while a dependency of the process is unavailable. */
  async startOne(name: ServiceName): Promise<void> {
    const { entry, role } = SERVICES[name];
    const port = this.portOf(name);
    for (let attempt = 0; attempt < START_ATTEMPTS; attempt++) {
      const service = new ToolProcess(name, entry, {
        ...this.config,
        PORT: String(port),
        ROLE: role,
        // These services log every failure of an upstream as an error, and upstreams fail all the time here.
        LOG_LEVEL: entry === 'email-api' || entry === 'chatapp-api' ? 'fatal' : 'error',
      });
      this.processes.set(name, service);
      setPriority(service.pid, NICENESS);
      const isReady = await Promise.race([
        untilReady(port, READY_TIMEOUT_MS).then(() => true),
        service.waitForExit().then(() => false),
      ]).catch(() => false);
      if (isReady) return;
      await service.stop('SIGKILL');
    }
    throw new Error(`${name} does not start`);
  }

  /** Stops all processes. Resolves with those that did not exit with 0 after a SIGTERM of this run. */
  async stop(): Promise<string[]> {
    await Promise.all(this.names.map((name) => this.terminate(name)));
    return this.wrongExits;
  }

  private portOf(name: ServiceName): number {
    const port = this.ports.get(name);
    if (port === undefined) throw new Error(`${name} has no port`);
    return port;
  }
}
