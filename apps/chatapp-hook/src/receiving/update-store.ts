import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { recordInbound, recordStatuses, type InboundRow, type StatusRow } from '@heliograph/chatapp-messages';
import { GroupCommit, poolOf } from '@heliograph/database';
import { Relay } from '@heliograph/messaging';
import { DataSource } from 'typeorm';
import { UpdateMetrics } from './update-metrics';

/** A call of a thousand updates is a few commits, so that a small call behind it does not wait for all of them. */
const MAX_BATCH = 250;
const MAX_QUEUE = 20_000;

/** Records what calls bring, with everything that follows from it, for many calls in one commit. */
@Injectable()
export class UpdateStore implements OnModuleDestroy {
  private readonly pool;
  private readonly messages: GroupCommit<InboundRow, null>;
  private readonly statuses: GroupCommit<StatusRow, null>;

  constructor(
    @Inject(DataSource) dataSource: DataSource,
    @Inject(Relay) private readonly relay: Relay,
    @Inject(UpdateMetrics) private readonly metrics: UpdateMetrics,
  ) {
    this.pool = poolOf(dataSource);
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

  /** Resolves once all of it is committed. */
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
    return this.told(rows);
  }

  private async writeStatuses(rows: StatusRow[]): Promise<null[]> {
    await recordStatuses(this.pool, rows);
    this.metrics.count('status', 'recorded', rows.length);
    return this.told(rows);
  }

  private told(rows: readonly unknown[]): null[] {
    this.relay.wake();
    return rows.map(() => null);
  }
}
