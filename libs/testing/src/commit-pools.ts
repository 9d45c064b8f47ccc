import { CommitPools, HASTY_COMMITS } from '@heliograph/database';
import { Pool } from 'pg';

/** Creates the connections of group commits as a service has them. `pool` waits for row locks. */
export function createCommitPools(url: string, pool: Pool): CommitPools {
  const { max, lockTimeoutMs } = HASTY_COMMITS;
  return new CommitPools(new Pool({ connectionString: url, max, lock_timeout: lockTimeoutMs }), pool);
}
