import { Injectable, OnModuleDestroy } from '@nestjs/common';
import { GroupCommit } from '@heliograph/database';
import { Pool } from 'pg';
import { SOURCES, type Source } from './sources';

const MAX_BATCH = 500;

/** A changed object: a message, an email, a conversation or a ledger entry. */
interface Change {
  source: Source;
  id: string;
}

/** Updates the rollups for changed objects. Events that arrive during a count are counted together. */
@Injectable()
export class RollupCounter implements OnModuleDestroy {
  private readonly commits: GroupCommit<Change, boolean>;

  constructor(pool: Pool) {
    this.commits = new GroupCommit({
      flush: async (changes) => {
        await pool.query({
          name: 'analytics-count',
          text: `SELECT ${SOURCES.map((source, index) => `analytics.count_${source}($${index + 1})`).join(', ')}`,
          values: SOURCES.map((source) => idsOf(changes, source)),
        });
        return changes.map(() => true);
      },
      maxBatch: MAX_BATCH,
    });
  }

  /** Resolves after the commit. */
  async count(source: Source, id: string): Promise<void> {
    await this.commits.submit({ source, id });
  }

  async onModuleDestroy(): Promise<void> {
    await this.commits.drain();
  }
}

function idsOf(changes: readonly Change[], source: Source): string[] {
  return [...new Set(changes.filter((change) => change.source === source).map(({ id }) => id))];
}
