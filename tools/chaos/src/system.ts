import { freePort, ToolProcess, untilReady } from '@heliograph/harness';

/** What runs, in the order in which a deployment stops it. */
const PROCESSES = {
  api: { entry: 'sms-api', role: 'api' },
  'worker-1': { entry: 'sms-api', role: 'worker' },
  'worker-2': { entry: 'sms-api', role: 'worker' },
  'chatapp-1': { entry: 'chatapp-api', role: 'all' },
  'chatapp-2': { entry: 'chatapp-api', role: 'all' },
  'chatapp-hook': { entry: 'chatapp-hook', role: 'all' },
  'email-api': { entry: 'email-api', role: 'api' },
  'email-worker': { entry: 'email-api', role: 'worker' },
  'billing-api': { entry: 'billing-hook', role: 'api' },
  'billing-worker': { entry: 'billing-hook', role: 'worker' },
  'bot-1': { entry: 'bot-runtime', role: 'all' },
  'bot-2': { entry: 'bot-runtime', role: 'all' },
  account: { entry: 'account-api', role: 'all' },
} as const satisfies Record<string, { entry: string; role: 'api' | 'worker' | 'all' }>;

/** Many start at once, on a machine that may have other work. */
const READY_WITHIN_MS = 60_000;

export type ProcessName = keyof typeof PROCESSES;

const NAMES = Object.keys(PROCESSES) as ProcessName[];

/** The services of one run, each a process that can be killed and started again. */
export class System {
  private readonly processes = new Map<ProcessName, ToolProcess>();
  private readonly ports = new Map<ProcessName, number>();

  /** Those that did not end with 0 when they were told to. */
  private readonly wrongEnds: string[] = [];

  private constructor(private readonly settings: Record<string, string>) {}

  static async start(settings: Record<string, string>): Promise<System> {
    const system = new System(settings);
    for (const name of NAMES) system.ports.set(name, await freePort());
    await Promise.all(NAMES.map((name) => system.startOne(name)));
    return system;
  }

  urlOf(name: ProcessName): string {
    return `http://127.0.0.1:${this.portOf(name)}`;
  }

  /** At the same time. */
  async kill(...names: ProcessName[]): Promise<void> {
    await Promise.all(names.map((name) => this.processes.get(name)?.stop('SIGKILL')));
  }

  /** As a deployment stops them, at the same time. */
  async terminate(...names: ProcessName[]): Promise<void> {
    await Promise.all(names.map((name) => this.end(name)));
  }

  /** Starts a process, as often as it takes: a supervisor would, while what it needs is away. */
  async startOne(name: ProcessName): Promise<void> {
    const { entry, role } = PROCESSES[name];
    const port = this.portOf(name);
    for (let tries = 0; tries < 10; tries++) {
      const service = new ToolProcess(name, entry, {
        ...this.settings,
        PORT: String(port),
        ROLE: role,
        // To these what is behind them is an error when it is unwell, and here it is unwell all the time.
        LOG_LEVEL: entry === 'email-api' || entry === 'chatapp-api' ? 'fatal' : 'error',
      });
      this.processes.set(name, service);
      const ready = await Promise.race([
        untilReady(port, READY_WITHIN_MS).then(() => true),
        service.ended().then(() => false),
      ]).catch(() => false);
      if (ready) return;
      await service.stop('SIGKILL');
    }
    throw new Error(`${name} does not start`);
  }

  /** In order, as a deployment stops them; answers those that did not end with 0, now or before. */
  async stop(): Promise<string[]> {
    for (const name of NAMES) await this.end(name);
    return this.wrongEnds;
  }

  private async end(name: ProcessName): Promise<void> {
    const code = await this.processes.get(name)?.stop('SIGTERM');
    if (code !== 0) this.wrongEnds.push(`${name} ended with ${code} after SIGTERM`);
  }

  private portOf(name: ProcessName): number {
    const port = this.ports.get(name);
    if (port === undefined) throw new Error(`${name} has no port`);
    return port;
  }
}
