import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { acceptMessages, type AcceptanceResult, type AcceptanceRow } from '@heliograph/chatapp-messages';
import { GroupCommit, poolOf } from '@heliograph/database';
import { METRICS } from '@heliograph/platform';
import { Histogram, type Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import type { ChatappApiSettings } from '../chatapp-api.config';
import { CHATAPP_API_SETTINGS } from '../chatapp-api.tokens';

/**
 * Charges and stores sends, many with one commit. A workspace always writes through the same lane, so it never waits
 * for its own balance.
 */
@Injectable()
export class Acceptance implements OnModuleDestroy {
  private readonly lanes: GroupCommit<AcceptanceRow, AcceptanceResult>[];

  constructor(
    @Inject(DataSource) dataSource: DataSource,
    @Inject(CHATAPP_API_SETTINGS) settings: ChatappApiSettings,
    @Inject(METRICS) registry: Registry,
  ) {
    const sizes = new Histogram({
      name: 'chatapp_group_commit_size',
      help: 'Sends that were accepted with one commit',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers: [registry],
    });
    this.lanes = Array.from(
      { length: settings.CHATAPP_ACCEPT_LANES },
      () =>
        new GroupCommit<AcceptanceRow, AcceptanceResult>({
          flush: (rows) => acceptMessages(poolOf(dataSource), rows),
          onFlush: (size) => sizes.observe(size),
        }),
    );
  }

  accept(row: AcceptanceRow): Promise<AcceptanceResult> {
    // The last digits of an id are its random ones.
    const lane = this.lanes[parseInt(row.workspace_id.slice(-6), 16) % this.lanes.length];
    if (!lane) throw new Error('there is no lane');
    return lane.submit(row);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.drain()));
  }
}
