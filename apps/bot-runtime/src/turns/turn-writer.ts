import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { recordTurns, type TurnOutcome, type TurnRow } from '@heliograph/bot-conversations';
import { GroupCommit } from '@heliograph/database';
import { METRICS } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Histogram, type Registry } from 'prom-client';
import type { BotRuntimeConfig } from '../bot-runtime.config';
import { BOT_RUNTIME_CONFIG } from '../bot-runtime.tokens';

/**
 * Records turns in group commits. A conversation always uses the same lane, so its commits never wait for each other's
 * locks.
 */
@Injectable()
export class TurnWriter implements OnModuleDestroy {
  private readonly lanes: GroupCommit<TurnRow, TurnOutcome>[];

  constructor(pool: Pool, @Inject(BOT_RUNTIME_CONFIG) config: BotRuntimeConfig, @Inject(METRICS) registry: Registry) {
    const sizes = new Histogram({
      name: 'bot_group_commit_size',
      help: 'Turns that were recorded with one commit',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers: [registry],
    });
    this.lanes = Array.from(
      { length: config.BOT_RECORD_LANES },
      () =>
        new GroupCommit<TurnRow, TurnOutcome>({
          flush: (rows) => recordTurns(pool, rows),
          onFlush: (size) => sizes.observe(size),
        }),
    );
  }

  record(row: TurnRow): Promise<TurnOutcome> {
    // The last digits of an id are random.
    const lane = this.lanes[parseInt(row.conversation_id.slice(-6), 16) % this.lanes.length];
    if (!lane) throw new Error('there is no lane');
    return lane.submit(row);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.drain()));
  }
}
