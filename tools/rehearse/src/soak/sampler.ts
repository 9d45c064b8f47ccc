import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceName, Services } from '@heliograph/chaos';
import { Client } from 'pg';
import type { Sample } from './trend';

const SIZES = `SELECT
  (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS "database connections",
  (SELECT count(*)::int FROM messaging.outbox WHERE available_at <= now()) AS "outbox rows",
  (SELECT count(*)::int FROM messaging.stored_events) AS "stored events",
  (SELECT count(*)::int FROM messaging.outbox WHERE available_at < now() - interval '30 seconds') AS "jobs older than 30 s"`;

/** Measures the processes that are not killed, and the database, until it is stopped. */
export class Sampler {
  /** Samples by what they measure, such as `sms-api: memory (MB)`. */
  readonly samples = new Map<string, Sample[]>();
  private readonly startedAt = Date.now();
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly services: Services,
    private readonly names: readonly ServiceName[],
    private readonly databaseUrl: string,
  ) {}

  start(everyMs: number): this {
    this.running = this.run(everyMs);
    return this;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(everyMs: number): Promise<void> {
    while (!this.stopping.signal.aborted) {
      for (const name of this.names) this.sampleProcess(name);
      // The database is away now and then.
      await this.sampleDatabase().catch(() => undefined);
      await delay(everyMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  private sampleProcess(name: ServiceName): void {
    const pid = this.services.pidOf(name);
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    this.add(`${name}: memory (MB)`, Number(kilobytes ?? 0) / 1_024);
    this.add(`${name}: descriptors`, readdirSync(`/proc/${pid}/fd`).length);
  }

  private async sampleDatabase(): Promise<void> {
    const client = new Client({ connectionString: this.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, number>>(SIZES);
      for (const [subject, value] of Object.entries(rows[0] ?? {})) this.add(subject, value);
    } finally {
      await client.end();
    }
  }

  private add(subject: string, value: number): void {
    const samples = this.samples.get(subject) ?? [];
    samples.push({ atSeconds: (Date.now() - this.startedAt) / 1_000, value });
    this.samples.set(subject, samples);
  }
}
