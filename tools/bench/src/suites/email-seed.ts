import { creditsEntities, post } from '@heliograph/credits';
import { createDataSource, databaseSettings, poolOf } from '@heliograph/database';
import { emailCatalogEntities, EmailCatalogService } from '@heliograph/email-catalog';
import { GRANT } from '@heliograph/harness';
import { EMAIL_SENDER } from '../calls/email-calls';

/** Lets the one organization of a seeded database send mail. */
export async function seedEmail(databaseUrl: string): Promise<void> {
  const settings = databaseSettings.parse({ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: 2 });
  const entities = [...creditsEntities, ...emailCatalogEntities];
  const dataSource = await createDataSource(settings, 'bench seed', entities).initialize();
  const rows = await dataSource.query<{ organization_id: string; workspace_id: string }[]>(
    'SELECT organization_id, id AS workspace_id FROM tenancy.workspaces',
  );
  const catalog = new EmailCatalogService(dataSource);
  for (const { organization_id: organizationId, workspace_id: workspaceId } of rows) {
    await catalog.putDomain(organizationId, {
      name: EMAIL_SENDER.slice(EMAIL_SENDER.indexOf('@') + 1),
      status: 'verified',
      expiresAt: null,
    });
    await catalog.putSender(organizationId, { address: EMAIL_SENDER, name: 'Bench', isMain: true });
    const grant = { creditType: 'email', kind: 'topup', amount: GRANT, correlationId: null } as const;
    await post(poolOf(dataSource), [
      { ...grant, organizationId, workspaceId, reference: `bench:email:${workspaceId}` },
    ]);
  }
  await dataSource.destroy();
}
