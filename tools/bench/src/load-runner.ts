import { cpuOfCommand, type ToolProcess } from '@heliograph/harness';
import type { LoadOrder } from './load-generator';
import { CONNECTIONS, measure, type CpuClocks, type Generator, type Measurement } from './measure';

interface RunOptions {
  /** CPU clocks in addition to those of the server and PostgreSQL. */
  clocks?: CpuClocks;
  generator?: Generator;
}

/** Runs the load generator for a suite. Runs never repeat a call, unless this is requested. */
export class LoadRunner {
  private offset = 0;

  constructor(
    private readonly defaults: Pick<LoadOrder, 'kind' | 'port' | 'path' | 'population'> & Partial<LoadOrder>,
    private readonly seconds: number,
  ) {}

  async run(
    order: Partial<LoadOrder>,
    server: ToolProcess,
    { clocks = {}, generator }: RunOptions = {},
  ): Promise<Measurement> {
    const full: LoadOrder = {
      connections: CONNECTIONS,
      durationMs: this.seconds * 1000,
      calls: Infinity,
      offset: this.offset,
      ...this.defaults,
      ...order,
    };
    const all = { server: () => server.cpuSeconds(), ...clocks, postgres: () => cpuOfCommand('postgres') };
    const measured = await measure(full, server, all, generator);
    if (full.distinct === undefined) this.offset += measured.ok;
    return measured;
  }
}
