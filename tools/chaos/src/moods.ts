import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from './random';

/** Something outside that is well for a while, then in a mood, and so on. */
export abstract class Moods {
  private readonly stopping = new AbortController();
  private over: Promise<void> = Promise.resolve();

  constructor(protected readonly random: Random) {}

  begin(): this {
    this.over = this.run();
    return this;
  }

  /** Well from now on. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.over;
    this.recover();
  }

  /** One mood, from its beginning to its end. */
  protected abstract sulk(): Promise<void>;
  protected abstract recover(): void;

  protected pause(low: number, high: number): Promise<void> {
    return delay(this.random.between(low, high), undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.pause(500, 1_500);
      await this.sulk();
    }
  }
}
