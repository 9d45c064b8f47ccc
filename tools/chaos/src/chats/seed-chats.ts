import { creditsEntities, post } from '@heliograph/credits';
import { createDataSource, databaseSettings, poolOf } from '@heliograph/database';
import { benchCustomer, GRANT } from '@heliograph/harness';
import { WITNESS } from './witness';

/** What a workspace begins with: credits, and how many free service messages it has had this month. */
export interface Purse {
  credits: number;
  used: number;
}

/** One that comes to the end of what is free, one that does not, one that has nothing free and runs out of credits. */
export const PURSES: readonly Purse[] = [
  { credits: GRANT, used: 970 },
  { credits: GRANT, used: 0 },
  { credits: 2_000, used: 1_000 },
];

/** Lets the first organizations of a seeded database chat, and sets the witness beside their messages. */
export async function seedChats(databaseUrl: string): Promise<string[]> {
  const settings = databaseSettings.parse({ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: 2 });
  const dataSource = await createDataSource(settings, 'chaos seed', creditsEntities).initialize();
  const workspaceIds: string[] = [];
  await dataSource.query(WITNESS);
  for (const [index, { credits, used }] of PURSES.entries()) {
    const [payer] = await dataSource.query<{ organization_id: string; id: string }[]>(
      'SELECT organization_id, id FROM tenancy.workspaces WHERE billing_customer = $1',
      [benchCustomer(index)],
    );
    if (!payer) throw new Error(`the organization ${index} has no workspace`);
    const { organization_id: organizationId, id: workspaceId } = payer;
    const grant = { creditType: 'chatapp', kind: 'topup', amount: credits, correlationId: null } as const;
    await post(poolOf(dataSource), [{ ...grant, organizationId, workspaceId, reference: `chats:${workspaceId}` }]);
    await dataSource.query(
      `INSERT INTO chatapp.allowance_uses (workspace_id, category, month, used)
       VALUES ($1, 'service', date_trunc('month', now() AT TIME ZONE 'UTC'), $2)`,
      [workspaceId, used],
    );
    workspaceIds.push(workspaceId);
  }
  await dataSource.destroy();
  return workspaceIds;
}
