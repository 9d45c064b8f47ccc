import { isDependencyFailure, serviceUnavailable } from '@heliograph/errors';

export interface GroupCommitOptions<T, R> {
  /** Writes all items in one transaction. Returns the results in the order of the items. */
  flush: (items: T[]) => Promise<R[]>;
  maxBatch?: number;
  /** Maximum number of queued items. Further items are rejected with 503. */
  maxQueue?: number;
  onFlush?: (size: number, durationMs: number) => void;
}

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

const RETRY_ONCE = new Set(['40001', '40P01']);

/**
 * Natural group commit: an idle group commit flushes immediately, and items that arrive during a flush form the next
 * batch. There is no timer, so low load has no extra latency and high load needs one round trip per batch.
 *
 * A batch that the database rejects is split in halves until the invalid item is alone, and only that item fails. A
 * batch whose connection was lost is not retried, because it may have been committed; the idempotency key of the caller
 * makes a repeated call safe.
 */
export class GroupCommit<T, R> {
  private queue: Waiting<T, R>[] = [];
  private flushing = false;
  private idle: (() => void)[] = [];
  private readonly maxBatch: number;
  private readonly maxQueue: number;

  constructor(private readonly options: GroupCommitOptions<T, R>) {
    this.maxBatch = options.maxBatch ?? 256;
    this.maxQueue = options.maxQueue ?? 10_000;
  }

  get depth(): number {
    return this.queue.length;
  }

  submit(item: T): Promise<R> {
    if (this.queue.length >= this.maxQueue) return Promise.reject(serviceUnavailable('group commit queue is full'));
    return new Promise<R>((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      if (this.flushing) return;
      this.flushing = true;
      // Items that arrive in this turn of the event loop join the first batch.
      setImmediate(() => void this.run());
    });
  }

  /** Resolves when no item is queued or in flight. */
  drain(): Promise<void> {
    if (!this.flushing) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  private async run(): Promise<void> {
    while (this.queue.length > 0) {
      const batch = this.queue.length <= this.maxBatch ? this.queue : this.queue.slice(0, this.maxBatch);
      this.queue = this.queue.length <= this.maxBatch ? [] : this.queue.slice(this.maxBatch);
      await this.write(batch, true);
    }
    this.flushing = false;
    for (const resolve of this.idle.splice(0)) resolve();
  }

  private async write(batch: Waiting<T, R>[], mayRetry: boolean): Promise<void> {
    const startedAt = performance.now();
    let results: R[];
    try {
      results = await this.options.flush(batch.map(({ item }) => item));
    } catch (error) {
      await this.recover(batch, error, mayRetry);
      return;
    }
    this.options.onFlush?.(batch.length, performance.now() - startedAt);
    batch.forEach(({ resolve, reject }, index) => {
      const result = results[index];
      if (result === undefined && !(index in results))
        reject(new Error('group commit: the flush returned too few results'));
      else resolve(result as R);
    });
  }

  private async recover(batch: Waiting<T, R>[], error: unknown, mayRetry: boolean): Promise<void> {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (mayRetry && RETRY_ONCE.has(code)) return this.write(batch, false);
    if (batch.length === 1 || isDependencyFailure(error)) {
      for (const { reject } of batch) reject(error);
      return;
    }
    const middle = batch.length >> 1;
    await this.write(batch.slice(0, middle), mayRetry);
    await this.write(batch.slice(middle), mayRetry);
  }
}
