import { rebuildAnalytics, type Rebuilt } from '@heliograph/analytics';
import type { InvariantChecker } from '../invariant-checker';
import { untilDone } from '../settle';

const SETTLE_MS = 30_000;
const HOUR_MS = 60 * 60_000;

/** Requires that a rebuild of the analytics finds no difference, once the last events are counted. */
export async function checkAnalytics(checker: InvariantChecker): Promise<void> {
  let wrong: Rebuilt[] = [];
  await untilDone(
    async () => {
      wrong = await differences(checker);
      return wrong.reduce((sum, { changed, repaired }) => sum + changed + repaired, 0);
    },
    { timeoutMs: SETTLE_MS, everyMs: 500 },
  );
  checker.add(
    wrong.map(
      ({ source, changed, repaired }) => `analytics of ${source}: ${changed} not counted, ${repaired} wrong rollups`,
    ),
  );
}

/** The changes that a rebuild would make. */
async function differences({ database }: InvariantChecker): Promise<Rebuilt[]> {
  await database.query('BEGIN');
  try {
    const results = await rebuildAnalytics(database, ...checkedRange());
    return results.filter(({ changed, repaired }) => changed + repaired > 0);
  } finally {
    await database.query('ROLLBACK');
  }
}

function checkedRange(): [Date, Date] {
  return [new Date(Date.now() - 24 * HOUR_MS), new Date(Date.now() + HOUR_MS)];
}
