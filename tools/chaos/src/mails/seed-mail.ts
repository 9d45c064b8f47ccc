import { creditsEntities, post } from '@heliograph/credits';
import { createDataSource, databaseSettings, poolOf } from '@heliograph/database';
import { emailCatalogEntities, EmailCatalogService } from '@heliograph/email-catalog';
import { benchCustomer, GRANT } from '@heliograph/harness';

/** Lets the first organizations of a seeded database send mail: a verified domain, a main sender, and credits. */
export async function seedMail(databaseUrl: string, organizations: number): Promise<void> {
  const settings = databaseSettings.parse({ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: 2 });
  const entities = [...creditsEntities, ...emailCatalogEntities];
  const dataSource = await createDataSource(settings, 'chaos seed', entities).initialize();
  const catalog = new EmailCatalogService(dataSource);
  for (let index = 0; index < organizations; index++) {
    const [payer] = await dataSource.query<{ organization_id: string; id: string }[]>(
      'SELECT organization_id, id FROM tenancy.workspaces WHERE billing_customer = $1',
      [benchCustomer(index)],
    );
    if (!payer) throw new Error(`the organization ${index} has no workspace`);
    const { organization_id: organizationId, id: workspaceId } = payer;
    const name = `mail-${index}.chaos.example`;
    await catalog.putDomain(organizationId, { name, status: 'verified', expiresAt: null });
    await catalog.putSender(organizationId, { address: `hello@${name}`, name: 'Chaos', isMain: true });
    const grant = { creditType: 'email', kind: 'topup', amount: GRANT, correlationId: null } as const;
    await post(poolOf(dataSource), [{ ...grant, organizationId, workspaceId, reference: `chaos:${workspaceId}` }]);
  }
  await dataSource.destroy();
}
