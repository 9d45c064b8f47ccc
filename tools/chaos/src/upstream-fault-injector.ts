import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@heliograph/bench-data';

/** Alternates an upstream between correct behaviour and an injected fault until it is stopped. */
export abstract class UpstreamFaultInjector {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(protected readonly random: Random) {}

  start(): this {
    this.running = this.run();
    return this;
  }

  /** Restores correct behaviour. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    this.reset();
  }

  /** Injects one fault and removes it again. */
  protected abstract injectFault(): Promise<void>;
  protected abstract reset(): void;

  protected pause(minMs: number, maxMs: number): Promise<void> {
    const { signal } = this.stopping;
    return delay(this.random.between(minMs, maxMs), undefined, { signal }).catch(() => undefined);
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.pause(500, 1_500);
      await this.injectFault();
    }
  }
}
