import { Pool, type PoolClient } from 'pg';
import { Gauge, Histogram, type Registry } from 'prom-client';

type ConnectCallback = Parameters<Pool['connect']>[0];

/** A pool that reports how long its users wait for a connection. Queries without a client of their own wait in `connect` too. */
export class ObservedPool extends Pool {
  /** Called with the wait in seconds. */
  onConnected: (seconds: number) => void = () => undefined;

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    const startedAt = performance.now();
    const connected = (): void => this.onConnected((performance.now() - startedAt) / 1000);
    if (callback) {
      super.connect((error, client, release) => {
        connected();
        callback(error, client, release);
      });
      return;
    }
    const connecting = super.connect();
    connecting.then(connected, connected);
    return connecting;
  }
}

/** Registers the metrics of the connection pools of a process, by their names. */
export function registerPoolMetrics(registry: Registry, pools: Readonly<Record<string, Pool>>): void {
  const registers = [registry];
  const all = Object.entries(pools);
  const gauge = (name: string, help: string, read: (pool: Pool) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers,
      collect() {
        for (const [name, pool] of all) this.set({ pool: name }, read(pool));
      },
    });
  };
  gauge('database_pool_max_connections', 'Maximum number of connections of a pool', ({ options }) => options.max);
  gauge('database_pool_connections', 'Open connections of a pool', ({ totalCount }) => totalCount);
  gauge('database_pool_idle_connections', 'Open connections of a pool that nobody uses', ({ idleCount }) => idleCount);
  gauge('database_pool_waiting', 'Users that wait for a connection of a pool', ({ waitingCount }) => waitingCount);
  const waits = new Histogram({
    name: 'database_pool_wait_seconds',
    help: 'Time that a user has waited for a connection of a pool, including the time to open it',
    labelNames: ['pool'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10],
    registers,
  });
  for (const [name, pool] of all) {
    const ofPool = waits.labels({ pool: name });
    if (pool instanceof ObservedPool) pool.onConnected = (seconds) => ofPool.observe(seconds);
  }
}
