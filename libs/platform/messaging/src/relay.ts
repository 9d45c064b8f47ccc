import type { Pool, PoolClient } from 'pg';
import type { Bus, OutgoingEvent } from './bus';

const IDLE_POLL_MS = 50;
const UNAVAILABLE_POLL_MS = 500;
const BATCH = 500;
const LOOPS = 2;
const REFUSED_DELAY = "interval '5 seconds'";

const TAKE = 'SELECT * FROM messaging.take_due($1)';

interface TakenRow extends OutgoingEvent {
  available_at: Date;
}

export interface RelayLog {
  warn(fields: Record<string, unknown>, message: string): void;
}

/**
 * Publishes committed events from the outbox, oldest first. The transaction that deletes the rows stays open until the
 * bus has confirmed them: if a relay crashes, its rows remain, and several relays do not see each other's rows. An
 * event can be published twice, but is never lost.
 */
export class Relay {
  private running = false;
  private loops: Promise<void>[] = [];
  private wakers = new Set<() => void>();
  private woken = false;
  published = 0;
  refused = 0;

  constructor(
    private readonly pool: Pool,
    private readonly bus: Bus,
    private readonly log: RelayLog,
  ) {}

  start(): void {
    if (this.running) return;
    this.running = true;
    this.loops = Array.from({ length: LOOPS }, () => this.loop());
  }

  /** Checks the outbox now instead of at the next poll. Called after a commit in this process. */
  wake(): void {
    this.woken = true;
    for (const wake of this.wakers) wake();
  }

  async stop(): Promise<void> {
    this.running = false;
    this.wake();
    await Promise.all(this.loops);
  }

  private async loop(): Promise<void> {
    while (this.running) {
      try {
        if (!this.bus.ready) {
          await this.pause(UNAVAILABLE_POLL_MS);
          continue;
        }
        this.woken = false;
        const moved = await this.moveBatch();
        if (moved < BATCH && !this.woken) await this.pause(IDLE_POLL_MS);
      } catch (error) {
        this.log.warn({ err: error }, 'the relay could not publish events; it retries');
        await this.pause(UNAVAILABLE_POLL_MS);
      }
    }
  }

  private async moveBatch(): Promise<number> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    // Otherwise a connection that breaks during the publishing would raise an unhandled `error` event.
    const onError = (error: Error): void => void (broken = error);
    client.on('error', onError);
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<TakenRow>({ name: 'outbox-take', text: TAKE, values: [BATCH] });
      if (rows.length > 0) {
        rows.sort((a, b) => a.available_at.getTime() - b.available_at.getTime());
        const refused = await this.bus.publish(rows, client);
        if (refused.size > 0) await this.returnToOutbox(client, rows, refused);
        this.published += rows.length - refused.size;
        this.refused += refused.size;
      }
      await client.query('COMMIT');
      return rows.length;
    } catch (error) {
      if (!broken) await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  private async returnToOutbox(client: PoolClient, rows: TakenRow[], refused: Map<string, string>): Promise<void> {
    const returned = rows.filter(({ id }) => refused.has(id));
    const [first] = refused.values();
    this.log.warn({ events: returned.length, reason: first }, 'the bus rejected events; they are retried');
    await client.query(
      `INSERT INTO messaging.outbox (id, type, payload, queue, attempt, available_at)
       SELECT id, type, body::json, queue, attempt, now() + ${REFUSED_DELAY}
       FROM json_to_recordset($1::json) AS r(id uuid, type text, body text, queue text, attempt integer)`,
      [JSON.stringify(returned)],
    );
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.wakers.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.wakers.add(done);
      if (!this.running) done();
    });
  }
}
