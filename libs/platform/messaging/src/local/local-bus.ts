import { GroupCommit } from '@heliograph/database';
import type { Pool, PoolClient } from 'pg';
import type {
  AfterCommit,
  Bus,
  Consumption,
  DeadLetter,
  Delivery,
  IsMandatory,
  DeclaredQueue,
  OutgoingEvent,
  QueueDefinition,
  DeliveryOutcome,
} from '../bus';
import { LocalQueues } from './local-queues';
import { queryQuietly } from '../outbox/quiet-query';

/**
 * Interval for expired leases and for replays by other processes; new and requeued events wake the consumer
 * immediately.
 */
const POLL_MS = 5_000;
const REQUEUE_DELAY_MS = 1_000;
/** Tolerance for the difference between the clocks of the database and of this process. */
const REQUEUE_SLACK_MS = 50;
const LEASE_SECONDS = 120;

interface LeasedRow {
  id: number;
  payload: unknown;
  attempt: number;
}

/**
 * The bus of the local stack. Queues are rows in PostgreSQL, inserted in the transaction that deletes the events from
 * the outbox. As durable as RabbitMQ, but limited to one process, which can run several services.
 */
export class LocalBus implements Bus {
  readonly ready = true;
  readonly queueNames: readonly string[] = [];
  private joined: LocalQueues | null = null;
  private readonly deleteSettled: GroupCommit<number, void>;

  constructor(
    private readonly pool: Pool,
    private readonly isMandatory: IsMandatory,
    private readonly pollMs = POLL_MS,
  ) {
    this.deleteSettled = new GroupCommit<number, void>({
      flush: async (ids) => {
        await pool.query('DELETE FROM messaging.local_deliveries WHERE id = ANY($1)', [ids]);
        return ids.map(() => undefined);
      },
      maxQueue: Infinity,
    });
  }

  /** Releases the leases of an earlier process. This is safe because only one process uses the database. */
  async start(): Promise<void> {
    const queues = (this.joined ??= LocalQueues.join(this.pool));
    try {
      await queues.releaseLeases(this.pool);
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  /** Queues exist as soon as they are declared. */
  untilSetUp(): Promise<void> {
    return Promise.resolve();
  }

  private get queues(): LocalQueues {
    if (!this.joined) throw new Error('the bus is not started');
    return this.joined;
  }

  async publish(
    events: OutgoingEvent[],
    transaction: PoolClient,
    afterCommit: AfterCommit,
  ): Promise<Map<string, string>> {
    const { queues } = this;
    const refused = new Map<string, string>();
    const rows: (Omit<OutgoingEvent, 'queue'> & { queue: string })[] = [];
    for (const event of events) {
      const targets = event.queue === null ? queues.boundTo(event.routingKey ?? event.type) : [event.queue];
      if (targets.length === 0 && this.isMandatory(event.type)) refused.set(event.id, 'no queue is bound to this type');
      for (const queue of targets) rows.push({ ...event, queue });
    }
    if (rows.length > 0) {
      await transaction.query(
        `INSERT INTO messaging.local_deliveries (queue, event_id, type, payload, attempt)
         SELECT queue, id, type, body::json, attempt
         FROM json_to_recordset($1::json) AS r(queue text, id uuid, type text, body text, attempt integer)`,
        [JSON.stringify(rows)],
      );
      const names = new Set(rows.map(({ queue }) => queue));
      afterCommit(() => {
        for (const name of names) this.joined?.wake(name);
      });
    }
    for (const { queue, type, body } of events) if (queue === null) queues.notify(type, body);
    return refused;
  }

  async consume(
    queue: QueueDefinition,
    consume: (delivery: Delivery) => Promise<DeliveryOutcome>,
  ): Promise<Consumption> {
    let running = true;
    let inFlight = 0;
    let isWoken = false;
    let endPause = (): void => undefined;
    const wake = (): void => {
      isWoken = true;
      endPause();
    };
    let onSettled: (() => void) | null = null;
    this.queues.declare(queue);
    const removeWaker = this.queues.onWake(queue.name, wake);
    const take = async (row: LeasedRow): Promise<void> => {
      try {
        const outcome = await consume({ payload: row.payload, attempt: row.attempt });
        await this.settle(row, outcome);
        if (outcome.kind === 'requeue') setTimeout(wake, REQUEUE_DELAY_MS + REQUEUE_SLACK_MS).unref();
      } catch {
        // The database is unavailable: the row is delivered again when its lease expires.
      } finally {
        inFlight--;
        onSettled?.();
        wake();
      }
    };
    const loop = async (): Promise<void> => {
      while (running) {
        isWoken = false;
        const free = queue.prefetch - inFlight;
        const rows = free > 0 ? await this.lease(queue.name, free).catch(() => []) : [];
        inFlight += rows.length;
        for (const row of rows) void take(row);
        if (isWoken || (rows.length > 0 && inFlight < queue.prefetch)) continue;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, this.pollMs);
          endPause = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    };
    const looping = loop();
    return {
      stop: async () => {
        running = false;
        removeWaker();
        wake();
        await looping;
        while (inFlight > 0) await new Promise<void>((resolve) => (onSettled = resolve));
        await this.deleteSettled.drain();
      },
    };
  }

  async subscribe(types: readonly string[], onEvent: (payload: unknown) => void): Promise<Consumption> {
    const stop = this.queues.subscribe(types, onEvent);
    return { stop: async () => stop() };
  }

  async declareQueue(queue: DeclaredQueue): Promise<void> {
    this.queues.declare(queue);
  }

  private async lease(queue: string, count: number): Promise<LeasedRow[]> {
    return queryQuietly<LeasedRow>(
      this.pool,
      `UPDATE messaging.local_deliveries SET leased_until = now() + interval '${LEASE_SECONDS} seconds'
       WHERE id = ANY(ARRAY(
         SELECT id FROM messaging.local_deliveries
         WHERE queue = $1 AND dead_at IS NULL AND (leased_until IS NULL OR leased_until < now())
         ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED))
       RETURNING id, payload, attempt`,
      [queue, count],
    );
  }

  private async settle(row: LeasedRow, outcome: DeliveryOutcome): Promise<void> {
    switch (outcome.kind) {
      case 'ack':
        return this.deleteSettled.submit(row.id);
      case 'requeue':
        await this.pool.query(
          `UPDATE messaging.local_deliveries SET leased_until = now() + interval '${REQUEUE_DELAY_MS} milliseconds' WHERE id = $1`,
          [row.id],
        );
        return;
      case 'deadLetter':
        await this.pool.query('UPDATE messaging.local_deliveries SET dead_at = now(), error = $2 WHERE id = $1', [
          row.id,
          outcome.error,
        ]);
        return;
    }
  }

  async deadLetters(queue: string, limit: number): Promise<DeadLetter[]> {
    const { rows } = await this.pool.query<DeadLetter>(
      `SELECT coalesce(payload->>'id', '?') AS id, coalesce(payload->>'type', '?') AS type, coalesce(error, '') AS error, payload
       FROM messaging.local_deliveries
       WHERE queue = $1 AND dead_at IS NOT NULL ORDER BY id LIMIT $2`,
      [queue, limit],
    );
    return rows;
  }

  async replay(queue: string, limit: number): Promise<number> {
    const { rowCount } = await this.pool.query(
      `UPDATE messaging.local_deliveries SET dead_at = NULL, error = NULL, attempt = 0, leased_until = NULL
       WHERE id = ANY(ARRAY(SELECT id FROM messaging.local_deliveries WHERE queue = $1 AND dead_at IS NOT NULL ORDER BY id LIMIT $2))`,
      [queue, limit],
    );
    return rowCount ?? 0;
  }

  async depth(queue: string): Promise<number | null> {
    const { rows } = await this.pool.query<{ depth: number }>(
      `SELECT count(*)::int AS depth FROM messaging.local_deliveries
       WHERE queue = $1 AND dead_at IS NULL AND (leased_until IS NULL OR leased_until < now())`,
      [queue],
    );
    return rows[0]?.depth ?? null;
  }

  async deadLetterCount(queue: string): Promise<number | null> {
    const { rows } = await this.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM messaging.local_deliveries WHERE queue = $1 AND dead_at IS NOT NULL',
      [queue],
    );
    return rows[0]?.count ?? null;
  }

  async stop(): Promise<void> {
    await this.deleteSettled.drain();
    this.leave();
  }

  private leave(): void {
    this.joined?.leave();
    this.joined = null;
  }
}
