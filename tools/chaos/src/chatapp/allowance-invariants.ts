import type { InvariantChecker } from '../invariant-checker';
import type { AllowanceEntry } from './allowance-log';

const MONTHLY_LIMIT = 1_000;

/** No workspace is charged before its free service messages are used up, and none gets more of them. */
export async function checkAllowances(checker: InvariantChecker, workspaceIds: readonly string[]): Promise<void> {
  for (const [index, workspaceId] of workspaceIds.entries()) {
    const { rows } = await checker.database.query<AllowanceEntry>(
      `SELECT kind, used, message_id AS "messageId" FROM chaos.allowance_log WHERE workspace_id = $1 ORDER BY number`,
      [workspaceId],
    );
    checker.add(wrongEntries(workspaceId, rows));
    // A run in which no workspace exhausts its allowance proves nothing.
    if (index === 0 && !isExhausted(rows)) checker.add([`workspace ${workspaceId} did not exhaust its allowance`]);
  }
  const months = await checker.column(`SELECT DISTINCT month FROM chatapp.allowance_uses WHERE category = 'service'`);
  if (months.length !== 1) checker.add(['the month ended during the run: run this seed again']);
}

/** Whether a charged message follows a free one. */
function isExhausted(entries: readonly AllowanceEntry[]): boolean {
  const first = entries.findIndex(({ kind }) => kind === 'free');
  return first >= 0 && entries.some(({ kind }, index) => kind === 'charged' && index > first);
}

function wrongEntries(workspaceId: string, entries: readonly AllowanceEntry[]): string[] {
  const found: string[] = [];
  // The first entry is the initial value of the counter.
  let counter = 0;
  let free = entries[0]?.used ?? 0;
  let retaken = 0;
  for (const { kind, used, messageId } of entries) {
    switch (kind) {
      case 'used':
        counter = used ?? 0;
        break;
      case 'free':
        free++;
        if (counter > MONTHLY_LIMIT) found.push(`${messageId} was free with a counter of ${counter}`);
        break;
      case 'charged':
        if (counter < MONTHLY_LIMIT) found.push(`${messageId} was charged with a counter of ${counter}`);
        break;
      case 'returned':
        free--;
        break;
      case 'retaken':
        free++;
        retaken++;
        break;
    }
  }
  const total: string[] = [];
  if (free !== counter) total.push(`workspace ${workspaceId} had ${free} free messages, its counter is ${counter}`);
  if (counter > MONTHLY_LIMIT + retaken)
    total.push(`workspace ${workspaceId} used ${counter} free messages, ${retaken} of them retaken`);
  return [...total, ...found];
}
