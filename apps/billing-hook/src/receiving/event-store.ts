import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { flushRows, GroupCommit, newId } from '@heliograph/database';
import { Relay } from '@heliograph/messaging';
import { METRICS } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Histogram, type Registry } from 'prom-client';
import type { ProcessorCall } from './read-event';

export interface ReceivedEvent extends ProcessorCall {
  correlationId: string;
}

/** Stores events once per id, with one commit for many concurrent callers. */
@Injectable()
export class EventStore implements OnModuleDestroy {
  private readonly pool;
  private readonly writes: GroupCommit<ReceivedEvent, { is_new: boolean }>;

  constructor(
    pool: Pool,
    private readonly relay: Relay,
    @Inject(METRICS) registry: Registry,
  ) {
    this.pool = pool;
    const sizes = new Histogram({
      name: 'billing_group_commit_size',
      help: 'Number of events stored per commit',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers: [registry],
    });
    this.writes = new GroupCommit<ReceivedEvent, { is_new: boolean }>({
      // Limits the memory of queued events, because a body may have 1 MB.
      maxQueue: 2_000,
      flush: flushRows(
        pool,
        { name: 'billing-store-events', text: 'SELECT ord, is_new FROM billing.store_events($1)' },
        encodeRow,
      ),
      onFlush: (size) => sizes.observe(size),
    });
  }

  /** Resolves after the commit: true if this call stored the event, false if it was already stored. */
  async store(event: ReceivedEvent): Promise<boolean> {
    const { is_new: isNew } = await this.writes.submit(event);
    if (isNew) this.relay.wake();
    return isNew;
  }

  /** Whether the body stored under this id differs from the given one. */
  async differs({ id, text }: ReceivedEvent): Promise<boolean> {
    const { rows } = await this.pool.query('SELECT FROM billing.events WHERE id = $1 AND payload::text = $2', [
      id,
      text,
    ]);
    return rows.length === 0;
  }

  async onModuleDestroy(): Promise<void> {
    await this.writes.drain();
  }
}

/** Inserts the body unchanged, because it is valid JSON and need not be parsed and serialized again. */
function encodeRow({ ord, id, type, created, customer, correlationId, text }: ReceivedEvent & { ord: number }): string {
  const row = { ord, id, type, created, customer, correlation_id: correlationId, job_id: newId() };
  return `${JSON.stringify(row).slice(0, -1)},"payload":${text}}`;
}
