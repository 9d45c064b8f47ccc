import { creditsEntities, post } from '@heliograph/credits';
import { createDataSource, databaseSettings, poolOf } from '@heliograph/database';
import { GRANT } from '@heliograph/harness';

/** Gives every workspace of a seeded database chat-app credits. */
export async function seedChatapp(databaseUrl: string): Promise<void> {
  const settings = databaseSettings.parse({ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: 2 });
  const dataSource = await createDataSource(settings, 'bench seed', [...creditsEntities]).initialize();
  const rows = await dataSource.query<{ organization_id: string; workspace_id: string }[]>(
    'SELECT organization_id, id AS workspace_id FROM tenancy.workspaces',
  );
  const grant = { creditType: 'chatapp', kind: 'topup', amount: GRANT, correlationId: null } as const;
  for (const { organization_id: organizationId, workspace_id: workspaceId } of rows) {
    await post(poolOf(dataSource), [
      { ...grant, organizationId, workspaceId, reference: `bench:chatapp:${workspaceId}` },
    ]);
  }
  await dataSource.destroy();
}
