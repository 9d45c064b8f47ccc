import type { Pool } from 'pg';
import type { KeptQueue } from './bus';

/**
 * The queues of the local bus in one database, known to all services of the process: whichever relay moves an event, it
 * reaches the queues of all. A queue stays, as on a broker, when its consumer stops; all go with the last bus.
 */
export class LocalQueues {
  private static readonly ofDatabases = new Map<string, LocalQueues>();

  private readonly bindings = new Map<string, Set<string>>();
  private readonly wakers = new Map<string, Set<() => void>>();
  private readonly listeners = new Map<string, Set<(payload: unknown) => void>>();
  private buses = 0;
  private freeing: Promise<void> | null = null;

  private constructor(private readonly database: string) {}

  /** Joins a bus to the others on its database. */
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

  /** Frees what an earlier process had in hand. Once: later it would be what the other services have in theirs. */
  freeLeases(pool: Pool): Promise<void> {
    this.freeing ??= pool
      .query('UPDATE messaging.local_deliveries SET leased_until = NULL WHERE leased_until IS NOT NULL')
      .then(
        () => undefined,
        (error: unknown) => {
          this.freeing = null;
          throw error;
        },
      );
    return this.freeing;
  }

  declare({ name, bindings }: KeptQueue): void {
    const all = this.bindings.get(name) ?? new Set();
    for (const binding of bindings) all.add(binding);
    this.bindings.set(name, all);
  }

  boundTo(type: string): string[] {
    return [...this.bindings].filter(([, types]) => types.has(type)).map(([name]) => name);
  }

  /** Has `wake` called when something has come into the queue; answers how to end that. */
  listen(queue: string, wake: () => void): () => void {
    const listening = this.wakers.get(queue) ?? new Set();
    this.wakers.set(queue, listening.add(wake));
    return () => listening.delete(wake);
  }

  /** Has `hear` called with every event of these types; answers how to end that. */
  hear(types: readonly string[], hear: (payload: unknown) => void): () => void {
    for (const type of types) this.listeners.set(type, (this.listeners.get(type) ?? new Set()).add(hear));
    return () => types.forEach((type) => this.listeners.get(type)?.delete(hear));
  }

  tell(type: string, body: string): void {
    const listening = this.listeners.get(type);
    if (!listening?.size) return;
    const payload: unknown = JSON.parse(body);
    for (const hear of listening) hear(payload);
  }

  wake(queue: string): void {
    for (const wake of this.wakers.get(queue) ?? []) wake();
  }
}
