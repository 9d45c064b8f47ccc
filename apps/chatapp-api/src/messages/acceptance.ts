import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { acceptMessages, type AcceptanceResult, type AcceptanceRow } from '@heliograph/chatapp-messages';
import { GroupCommit } from '@heliograph/database';
import { METRICS } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Histogram, type Registry } from 'prom-client';
import type { ChatappApiConfig } from '../chatapp-api.config';
import { CHATAPP_API_CONFIG } from '../chatapp-api.tokens';

/**
 * Charges and stores sends in group commits. A workspace always uses the same lane, so it never waits for the lock on
 * its own balance.
 */
@Injectable()
export class Acceptance implements OnModuleDestroy {
  private readonly lanes: GroupCommit<AcceptanceRow, AcceptanceResult>[];

  constructor(pool: Pool, @Inject(CHATAPP_API_CONFIG) config: ChatappApiConfig, @Inject(METRICS) registry: Registry) {
    const sizes = new Histogram({
      name: 'chatapp_group_commit_size',
      help: 'Sends that were accepted with one commit',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers: [registry],
    });
    this.lanes = Array.from(
      { length: config.CHATAPP_ACCEPT_LANES },
      () =>
        new GroupCommit<AcceptanceRow, AcceptanceResult>({
          flush: (rows) => acceptMessages(pool, rows),
          onFlush: (size) => sizes.observe(size),
        }),
    );
  }

  accept(row: AcceptanceRow): Promise<AcceptanceResult> {
    // The last digits of an id are random.
    const lane = this.lanes[parseInt(row.workspace_id.slice(-6), 16) % this.lanes.length];
    if (!lane) throw new Error('there is no lane');
    return lane.submit(row);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.drain()));
  }
}
