import { benchCustomer, benchKey } from '@heliograph/bench-data';
import { ApiKey, ApiKeysService, ApiKeyUse, authEntities } from '@heliograph/auth';
import { CatalogService, smsCatalogEntities } from '@heliograph/sms-catalog';
import { tenancyEntities, TenancyService, type WorkspaceDetails } from '@heliograph/tenancy';
import type { EntityManager } from 'typeorm';
import { grantCredits, withSeedConnection } from './seed-connection';

export interface SeedOptions {
  /** Adds a second workspace to each organization, as a target of credit transfers. */
  siblings?: boolean;
}

/** Creates organizations that can send SMS, each with one workspace, its billing customer and credits. */
export async function seed(
  databaseUrl: string,
  organizations: number,
  { siblings = false }: SeedOptions = {},
): Promise<void> {
  const entities = [...tenancyEntities, ...authEntities, ...smsCatalogEntities];
  await withSeedConnection(databaseUrl, entities, async (dataSource, pool) => {
    const tenancy = new TenancyService();
    const keys = new ApiKeysService(dataSource.getRepository(ApiKey), dataSource.getRepository(ApiKeyUse));
    const catalog = new CatalogService();
    for (let index = 0; index < organizations; index++) {
      const slug = `bench-${index}`;
      const { id: organizationId } = await dataSource.transaction((transaction) =>
        tenancy.putOrganization(transaction, { slug, name: slug, ipAllowlist: [] }),
      );
      const details = { slug, displayName: slug, plan: 'pro', status: 'active' } as const;
      const billingCustomer = benchCustomer(index);
      const put = (own: Pick<WorkspaceDetails, 'slug' | 'billingCustomer'>) =>
        dataSource.transaction((transaction) =>
          tenancy.putWorkspace(transaction, organizationId, { ...details, ...own }),
        );
      const workspace = await put({ slug, billingCustomer });
      if (siblings) {
        await put({ slug: `${slug}-sibling`, billingCustomer: null });
      }
      const key = { name: slug, role: 'owner', workspaceId: null, expiresAt: null, revoked: false } as const;
      await keys.put(dataSource.manager, organizationId, { ...key, scopes: [] }, benchKey(index), () =>
        benchKey(index),
      );
      await seedSmsCatalog(dataSource.manager, catalog, organizationId);
      await grantCredits(pool, { organizationId, workspaceId: workspace.id }, 'sms');
    }
  });
}

async function seedSmsCatalog(manager: EntityManager, catalog: CatalogService, organizationId: string): Promise<void> {
  const { id: onboardingId } = await catalog.putOnboarding(manager, organizationId, {
    name: 'india',
    country: 'IN',
    status: 'approved',
    dltEntityId: '1101000000000000001',
  });
  const registered = { onboardingId, isActive: true };
  await catalog.putSender(manager, organizationId, {
    ...registered,
    header: 'BENCHS',
    dltSenderId: '1105000000000000001',
  });
  await catalog.putTemplate(manager, organizationId, {
    ...registered,
    name: 'otp',
    body: 'Your code is {{code}}',
    dltTemplateId: '1107000000000000001',
  });
}
