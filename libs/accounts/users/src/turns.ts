import { serviceUnavailable } from '@heliograph/errors';

/** Limits concurrency; waiting callers run in order of arrival. */
export class Turns {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(
    places: number,
    /** Beyond this queue length callers would wait for seconds, so they are rejected. */
    private readonly maxWaiting: number,
    private readonly what: string,
  ) {
    this.free = places;
  }

  /** Throws SERVICE_UNAVAILABLE if the queue is full. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else if (this.waiting.length >= this.maxWaiting)
      throw serviceUnavailable(`too many requests are waiting for ${this.what}`);
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
