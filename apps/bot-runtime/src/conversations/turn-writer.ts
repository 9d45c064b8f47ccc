import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { recordTurns, type TurnOutcome, type TurnRow } from '@heliograph/bot-conversations';
import { GroupCommit, poolOf } from '@heliograph/database';
import { METRICS } from '@heliograph/platform';
import { Histogram, type Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import type { BotRuntimeSettings } from '../bot-runtime.config';
import { BOT_RUNTIME_SETTINGS } from '../bot-runtime.tokens';

/** Records turns, many with one commit. A conversation always writes through the same lane, so it never waits for itself. */
@Injectable()
export class TurnWriter implements OnModuleDestroy {
  private readonly lanes: GroupCommit<TurnRow, TurnOutcome>[];

  constructor(
    @Inject(DataSource) dataSource: DataSource,
    @Inject(BOT_RUNTIME_SETTINGS) settings: BotRuntimeSettings,
    @Inject(METRICS) registry: Registry,
  ) {
    const sizes = new Histogram({
      name: 'bot_group_commit_size',
      help: 'Turns that were recorded with one commit',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers: [registry],
    });
    this.lanes = Array.from(
      { length: settings.BOT_RECORD_LANES },
      () =>
        new GroupCommit<TurnRow, TurnOutcome>({
          flush: (rows) => recordTurns(poolOf(dataSource), rows),
          onFlush: (size) => sizes.observe(size),
        }),
    );
  }

  record(row: TurnRow): Promise<TurnOutcome> {
    // The last digits of an id are its random ones.
    const lane = this.lanes[parseInt(row.conversation_id.slice(-6), 16) % this.lanes.length];
    if (!lane) throw new Error('there is no lane');
    return lane.submit(row);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.drain()));
  }
}
