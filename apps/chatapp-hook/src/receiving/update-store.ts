import { Injectable, OnModuleDestroy } from '@nestjs/common';
import { recordInbound, recordStatuses, type InboundRow, type StatusRow } from '@heliograph/chatapp-messages';
import { GroupCommit } from '@heliograph/database';
import { Relay } from '@heliograph/messaging';
import { Pool } from 'pg';

import { UpdateMetrics } from './update-metrics';

/**
 * Splits a call with a thousand updates into several commits, so that a later, smaller call does not wait for all of
 * them.
 */
const MAX_BATCH = 250;
const MAX_QUEUE = 20_000;

/** Records the updates of many calls, with all their effects, in group commits. */
@Injectable()
export class UpdateStore implements OnModuleDestroy {
  private readonly pool;
  private readonly messages: GroupCommit<InboundRow, null>;
  private readonly statuses: GroupCommit<StatusRow, null>;

  constructor(
    pool: Pool,
    private readonly relay: Relay,
    private readonly metrics: UpdateMetrics,
  ) {
    this.pool = pool;
    this.messages = new GroupCommit<InboundRow, null>({
      maxBatch: MAX_BATCH,
      maxQueue: MAX_QUEUE,
      flush: (rows) => this.writeMessages(rows),
      onFlush: (size, durationMs) => metrics.committed('message', size, durationMs),
    });
    this.statuses = new GroupCommit<StatusRow, null>({
      maxBatch: MAX_BATCH,
      maxQueue: MAX_QUEUE,
      flush: (rows) => this.writeStatuses(rows),
      onFlush: (size, durationMs) => metrics.committed('status', size, durationMs),
    });
  }

  /** Resolves after all updates are committed. */
  async record(inbound: readonly InboundRow[], statuses: readonly StatusRow[]): Promise<void> {
    await Promise.all([
      ...inbound.map((row) => this.messages.submit(row)),
      ...statuses.map((row) => this.statuses.submit(row)),
    ]);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.messages.drain(), this.statuses.drain()]);
  }

  private async writeMessages(rows: InboundRow[]): Promise<null[]> {
    const fresh = await recordInbound(this.pool, rows);
    this.metrics.count('message', 'recorded', fresh);
    this.metrics.count('message', 'repeated', rows.length - fresh);
    return this.wakeRelay(rows);
  }

  private async writeStatuses(rows: StatusRow[]): Promise<null[]> {
    await recordStatuses(this.pool, rows);
    this.metrics.count('status', 'recorded', rows.length);
    return this.wakeRelay(rows);
  }

  private wakeRelay(rows: readonly unknown[]): null[] {
    this.relay.wake();
    return rows.map(() => null);
  }
}
