import type { Pool } from 'pg';
import type { DeclaredQueue } from '../bus';

/**
 * The queues of the local bus in one database, shared by all services of the process, so that the relay of any service
 * reaches the queues of all. As on a broker, a queue outlives its consumer; all queues are removed with the last bus.
 */
export class LocalQueues {
  private static readonly ofDatabases = new Map<string, LocalQueues>();

  private readonly bindings = new Map<string, Set<string>>();
  private readonly wakers = new Map<string, Set<() => void>>();
  private readonly subscribers = new Map<string, Set<(payload: unknown) => void>>();
  private buses = 0;
  private releasing: Promise<void> | null = null;

  private constructor(private readonly database: string) {}

  /** Registers a bus for its database. */
  static join({ options }: Pool): LocalQueues {
    const { connectionString, host, port, database } = options;
    const name = connectionString ?? `${host}:${port}/${database}`;
    const queues = LocalQueues.ofDatabases.get(name) ?? new LocalQueues(name);
    LocalQueues.ofDatabases.set(name, queues);
    queues.buses++;
    return queues;
  }

  leave(): void {
    if (--this.buses === 0) LocalQueues.ofDatabases.delete(this.database);
  }

  /**
   * Releases the leases of an earlier process. Runs once, because later leases belong to other services of this
   * process.
   */
  releaseLeases(pool: Pool): Promise<void> {
    this.releasing ??= pool
      .query('UPDATE messaging.local_deliveries SET leased_until = NULL WHERE leased_until IS NOT NULL')
      .then(
        () => undefined,
        (error: unknown) => {
          this.releasing = null;
          throw error;
        },
      );
    return this.releasing;
  }

  declare({ name, bindings }: DeclaredQueue): void {
    const all = this.bindings.get(name) ?? new Set();
    for (const binding of bindings) all.add(binding);
    this.bindings.set(name, all);
  }

  boundTo(type: string): string[] {
    return [...this.bindings].filter(([, types]) => types.has(type)).map(([name]) => name);
  }

  /** Calls `wake` when an event is added to the queue. Returns a function that removes the callback. */
  onWake(queue: string, wake: () => void): () => void {
    const wakers = this.wakers.get(queue) ?? new Set();
    this.wakers.set(queue, wakers.add(wake));
    return () => wakers.delete(wake);
  }

  /** Calls `onEvent` with every event of these types. Returns a function that removes the callback. */
  subscribe(types: readonly string[], onEvent: (payload: unknown) => void): () => void {
    for (const type of types) this.subscribers.set(type, (this.subscribers.get(type) ?? new Set()).add(onEvent));
    return () => types.forEach((type) => this.subscribers.get(type)?.delete(onEvent));
  }

  notify(type: string, body: string): void {
    const subscribers = this.subscribers.get(type);
    if (!subscribers?.size) return;
    const payload: unknown = JSON.parse(body);
    for (const onEvent of subscribers) onEvent(payload);
  }

  wake(queue: string): void {
    for (const wake of this.wakers.get(queue) ?? []) wake();
  }
}
