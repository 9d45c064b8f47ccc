import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { flushRows, GroupCommit, newId } from '@heliograph/database';
import { Relay } from '@heliograph/messaging';
import { METRICS } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Histogram, type Registry } from 'prom-client';
import type { ProcessorCall } from './read-event';

export interface StoredEvent {
  /** `differs`: an event with the same id, but another body, was already stored. */
  outcome: 'stored' | 'repeated' | 'differs';
}

interface ReceivedEvent {
  call: ProcessorCall;
  correlationId: string;
}

/** Stores events once per id, with one commit for many concurrent callers. */
@Injectable()
export class EventStore implements OnModuleDestroy {
  private readonly writes: GroupCommit<ReceivedEvent, StoredEvent>;

  constructor(pool: Pool, relay: Relay, @Inject(METRICS) registry: Registry) {
    const sizes = new Histogram({
      name: 'billing_group_commit_size',
      help: 'Number of events stored per commit',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers: [registry],
    });
    const text = 'SELECT ord, outcome FROM billing.store_events($1)';
    const flush = flushRows<ReceivedEvent, StoredEvent>(pool, { name: 'billing-store-events', text }, encodeRow);
    this.writes = new GroupCommit({
      // Limits the memory of queued events, because a body may have 1 MB.
      maxQueue: 2_000,
      flush: async (events) => {
        const results = await flush(events);
        if (results.some(({ outcome }) => outcome === 'stored')) relay.wake();
        return results;
      },
      onFlush: (size) => sizes.observe(size),
    });
  }

  /** Resolves after the commit. */
  store(call: ProcessorCall, correlationId: string): Promise<StoredEvent> {
    return this.writes.submit({ call, correlationId });
  }

  async onModuleDestroy(): Promise<void> {
    await this.writes.drain();
  }
}

/** Inserts the body unchanged, because it is valid JSON and need not be parsed and serialized again. */
function encodeRow({ call: { id, type, created, customer, text }, correlationId }: ReceivedEvent, ord: number): string {
  const row = { ord, id, type, created, customer, correlation_id: correlationId, job_id: newId() };
  return `${JSON.stringify(row).slice(0, -1)},"payload":${text}}`;
}
