import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';

/**
 * Options of the pool for batches of several organizations. Without locks by others, a batch waits for a row no longer
 * than a commit of another process takes.
 */
export const HASTY_COMMITS = {
  max: 6,
  lockTimeoutMs: 100,
};

/**
 * The connections of group commits whose batches contain items of several organizations. They are apart from those of
 * other calls, so that a commit never waits for the connection of a long query.
 */
@Injectable()
export class CommitPools implements OnApplicationShutdown {
  constructor(
    /** Gives up with 55P03 after a moment, because other organizations wait for the batch too. */
    private readonly hasty: Pool,
    /** Waits for row locks, for batches of one organization. */
    private readonly patient: Pool,
  ) {}

  of(waitsForLocks: boolean): Pool {
    return waitsForLocks ? this.patient : this.hasty;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.hasty.end();
  }
}
