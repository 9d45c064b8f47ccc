import { benchWorkspaces, grantCredits, GRANT, withSeedConnection } from '@heliograph/harness';
import { ALLOWANCE_LOG } from './allowance-log';

/** The initial state of a workspace: its credits, and the free service messages that it has used this month. */
export interface InitialBalance {
  credits: number;
  used: number;
}

/** One workspace exhausts its free messages, one does not, one has none and runs out of credits. */
export const INITIAL_BALANCES: readonly InitialBalance[] = [
  { credits: GRANT, used: 970 },
  { credits: GRANT, used: 0 },
  { credits: 2_000, used: 1_000 },
];

/** Enables chats for the first organizations of a seeded database and installs the allowance log. Resolves with their workspace ids. */
export async function seedChatapp(databaseUrl: string): Promise<string[]> {
  return withSeedConnection(databaseUrl, [], async (_, pool) => {
    await pool.query(ALLOWANCE_LOG);
    const workspaces = await benchWorkspaces(pool, INITIAL_BALANCES.length);
    for (const [index, { credits, used }] of INITIAL_BALANCES.entries()) {
      const workspace = workspaces[index];
      if (!workspace) continue;
      await grantCredits(pool, workspace, 'chatapp', credits);
      await pool.query(
        `INSERT INTO chatapp.allowance_uses (workspace_id, category, month, used)
         VALUES ($1, 'service', date_trunc('month', now() AT TIME ZONE 'UTC'), $2)`,
        [workspace.workspaceId, used],
      );
    }
    return workspaces.map(({ workspaceId }) => workspaceId);
  });
}
