import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { flushRows, GroupCommit, newId } from '@heliograph/database';
import { Relay } from '@heliograph/messaging';
import { METRICS } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Counter, type Registry } from 'prom-client';

import { RecipientTokens } from '../tokens/recipient-tokens';
import { MOST_RECORDED, suppressAfterDays } from './event-policy';
import type { RecipientEvent, RecipientRef, RecordedEvent } from './recipient-event';

/** Records recipient events in group commits. */
@Injectable()
export class RecipientEvents implements OnModuleDestroy {
  private readonly writes: GroupCommit<RecipientEvent, RecordedEvent>;

  constructor(
    private readonly pool: Pool,
    private readonly relay: Relay,
    private readonly tokens: RecipientTokens,
    @Inject(METRICS) registry: Registry,
  ) {
    const recorded = new Counter({
      name: 'email_events_total',
      help: 'Recipient events by type',
      labelNames: ['type'],
      registers: [registry],
    });
    const write = flushRows<object, { outcome: RecordedEvent }>(pool, {
      name: 'email-record-events',
      text: 'SELECT ord, outcome FROM email.record_events($1)',
    });
    this.writes = new GroupCommit<RecipientEvent, RecordedEvent>({
      flush: async (events) => {
        const outcomes = (await write(events.map((event) => this.rowOf(event)))).map(({ outcome }) => outcome);
        events.forEach(({ type }, index) => outcomes[index] === 'recorded' && recorded.inc({ type }));
        relay.wake();
        return outcomes;
      },
    });
  }

  /** Resolves after the commit. Throws if the database is unavailable or the queue is full. */
  record(event: RecipientEvent): Promise<RecordedEvent> {
    return this.writes.submit(event);
  }

  /**
   * Removes the suppression that an unsubscribe with the link of this mail made, and no other one. Returns whether there
   * was one. Throws if the database is unavailable.
   */
  async undoUnsubscribe({ messageId, position }: RecipientRef): Promise<boolean> {
    const { rows } = await this.pool.query<{ removed: boolean }>({
      name: 'email-resubscribe',
      text: 'SELECT email.resubscribe($1, $2, $3, $4) AS removed',
      values: [newId(), messageId, position, new Date()],
    });
    this.relay.wake();
    return rows[0]?.removed === true;
  }

  async onModuleDestroy(): Promise<void> {
    await this.writes.drain();
  }

  private rowOf(event: RecipientEvent): object {
    return {
      id: newId(),
      message_id: event.messageId,
      position: event.position,
      type: event.type,
      url: event.url,
      reason: event.reason,
      occurred_at: event.occurredAt,
      suppresses: event.suppresses,
      suppress_after_days: suppressAfterDays(event.deadDomain ?? false),
      most: MOST_RECORDED[event.type],
      mail_token: this.tokens.mailTokenOf(event),
    };
  }
}
