import { percentile } from './latencies';

export interface LoadReport {
  ok: number;
  refused: number;
  seconds: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuSeconds: number;
}

/** Collects the results of calls. Measures time and CPU from its creation on. */
export class LoadRecorder {
  readonly startedAt = performance.now();
  private readonly cpu = process.cpuUsage();
  private readonly latencies: number[] = [];
  private ok = 0;
  private refused = 0;

  /** Records a call that started at `startedAt`. Returns whether it is the first one that was refused. */
  record(startedAt: number, succeeded: boolean): boolean {
    this.latencies.push(performance.now() - startedAt);
    if (succeeded) this.ok++;
    return !succeeded && this.refused++ === 0;
  }

  get progress(): { ok: number; refused: number } {
    return { ok: this.ok, refused: this.refused };
  }

  report(): LoadReport {
    const seconds = (performance.now() - this.startedAt) / 1000;
    const { user, system } = process.cpuUsage(this.cpu);
    return {
      ok: this.ok,
      refused: this.refused,
      seconds,
      perSecond: this.ok / seconds,
      p50Ms: percentile(this.latencies, 0.5),
      p99Ms: percentile(this.latencies, 0.99),
      cpuSeconds: (user + system) / 1e6,
    };
  }
}
