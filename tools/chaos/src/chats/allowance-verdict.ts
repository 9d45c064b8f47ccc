import type { Client } from 'pg';
import type { Step } from './witness';

const MONTHLY_LIMIT = 1_000;
const MOST_SHOWN = 5;

/** What is wrong with the free service messages: nobody pays before they are used up, nobody gets more of them. */
export async function allowanceViolations(client: Client, workspaceIds: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const [index, workspaceId] of workspaceIds.entries()) {
    const { rows } = await client.query<Step>(
      `SELECT step, used, message_id AS "messageId" FROM chaos.steps WHERE workspace_id = $1 ORDER BY number`,
      [workspaceId],
    );
    found.push(...wrongSteps(workspaceId, rows));
    // A run in which nobody gets to the end of what is free has shown nothing.
    if (index === 0 && !hasCrossed(rows)) found.push(`the workspace ${workspaceId} came to no end of what is free`);
  }
  const { rows } = await client.query<{ months: number }>(
    `SELECT count(DISTINCT month)::integer AS months FROM chatapp.allowance_uses WHERE category = 'service'`,
  );
  if (rows[0]?.months !== 1) found.push('a month has ended in the middle of the run: run this seed again');
  return found;
}

/** Free messages at first, paid ones in the end. */
function hasCrossed(steps: readonly Step[]): boolean {
  const first = steps.findIndex(({ step }) => step === 'free');
  return first >= 0 && steps.some(({ step }, place) => step === 'charged' && place > first);
}

function wrongSteps(workspaceId: string, steps: readonly Step[]): string[] {
  const found: string[] = [];
  // The first step is the counter with which the workspace begins.
  let [counter, free, retaken] = [0, steps[0]?.used ?? 0, 0];
  for (const { step, used, messageId } of steps) {
    switch (step) {
      case 'used':
        counter = used ?? 0;
        break;
      case 'free':
        free++;
        if (counter > MONTHLY_LIMIT) found.push(`${messageId} was free when ${counter} were used already`);
        break;
      case 'charged':
        if (counter < MONTHLY_LIMIT) found.push(`${messageId} was charged when ${counter} were used`);
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
  if (free !== counter) found.push(`the workspace ${workspaceId} has had ${free} free and the counter says ${counter}`);
  if (counter > MONTHLY_LIMIT + retaken)
    found.push(`the workspace ${workspaceId} has used ${counter}, of which ${retaken} were given back in between`);
  // The last ones say what it all came to.
  return found.length > MOST_SHOWN ? [`${found.length} wrong steps, such as:`, ...found.slice(-MOST_SHOWN)] : found;
}
