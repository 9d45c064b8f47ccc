import { freePort, ToolProcess, untilReady } from '@heliograph/harness';

/** The services of one run, each a process that can be killed and started again. */
export class System {
  private readonly processes = new Map<string, ToolProcess>();

  private constructor(
    private readonly settings: Record<string, string>,
    readonly ports: Record<'api' | 'worker-1' | 'worker-2', number>,
  ) {}

  static async start(settings: Record<string, string>): Promise<System> {
    const system = new System(settings, {
      api: await freePort(),
      'worker-1': await freePort(),
      'worker-2': await freePort(),
    });
    for (const name of system.names) await system.startOne(name);
    return system;
  }

  get names(): ('api' | 'worker-1' | 'worker-2')[] {
    return ['api', 'worker-1', 'worker-2'];
  }

  async kill(name: 'api' | 'worker-1' | 'worker-2'): Promise<void> {
    await this.processes.get(name)?.stop('SIGKILL');
  }

  /** Starts a process, as often as it takes: a supervisor would, while what it needs is away. */
  async startOne(name: 'api' | 'worker-1' | 'worker-2'): Promise<void> {
    for (let tries = 0; tries < 10; tries++) {
      const service = new ToolProcess(name, 'service', {
        ...this.settings,
        PORT: String(this.ports[name]),
        ROLE: name === 'api' ? 'api' : 'worker',
        LOG_LEVEL: 'error',
      });
      this.processes.set(name, service);
      const ready = await Promise.race([
        untilReady(this.ports[name], 20_000).then(() => true),
        service.ended().then(() => false),
      ]).catch(() => false);
      if (ready) return;
      await service.stop('SIGKILL');
    }
    throw new Error(`${name} does not start`);
  }

  /** In order, as a deployment stops them; answers those that did not end with 0. */
  async stop(): Promise<string[]> {
    const wrong: string[] = [];
    for (const [name, process] of this.processes) {
      const code = await process.stop('SIGTERM');
      if (code !== 0) wrong.push(`${name} ended with ${code} after SIGTERM`);
    }
    return wrong;
  }
}
