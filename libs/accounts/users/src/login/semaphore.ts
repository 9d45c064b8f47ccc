import { serviceUnavailable } from '@heliograph/errors';

/** Limits concurrency; waiting callers run in order of arrival. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];

  constructor(
    private free: number,
    /** Beyond this queue length callers would wait for seconds, so they are rejected. */
    private readonly maxWaiting: number,
    /** Name of the limited resource, for the error message. */
    private readonly resource: string,
  ) {}

  /** Throws SERVICE_UNAVAILABLE if the queue is full. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.acquire();
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }

  private async acquire(): Promise<void> {
    if (this.free > 0) {
      this.free--;
      return;
    }
    if (this.waiting.length >= this.maxWaiting) {
      throw serviceUnavailable(`too many requests are waiting for ${this.resource}`);
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}
