import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { recordTurns, type TurnOutcome, type TurnRow } from '@heliograph/bot-conversations';
import { CommitPools, LanedGroupCommit } from '@heliograph/database';
import { CONFIG, METRICS } from '@heliograph/service-kit';
import type { Registry } from 'prom-client';
import type { BotRuntimeConfig } from '../bot-runtime.config';

/** Records turns in group commits. All turns of a conversation use the same lane. */
@Injectable()
export class TurnWriter implements OnModuleDestroy {
  private readonly commits: LanedGroupCommit<TurnRow, TurnOutcome>;

  constructor(pools: CommitPools, @Inject(CONFIG) config: BotRuntimeConfig, @Inject(METRICS) registry: Registry) {
    this.commits = new LanedGroupCommit({
      lanes: config.BOT_RECORD_LANES,
      laneOf: (row) => row.conversation_id,
      // The searches before it take turns by organization.
      ownerOf: (row) => row.conversation_id,
      flush: (rows, waitsForLocks) => recordTurns(pools.of(waitsForLocks), rows),
      metric: { name: 'bot_group_commit_size', help: 'Turns recorded per commit', registry },
    });
  }

  record(row: TurnRow): Promise<TurnOutcome> {
    return this.commits.submit(row);
  }

  onModuleDestroy(): Promise<void> {
    return this.commits.drain();
  }
}
