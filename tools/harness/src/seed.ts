import { ApiKeysService, authEntities } from '@heliograph/auth';
import { creditsEntities, post } from '@heliograph/credits';
import { createDataSource, databaseSettings, poolOf } from '@heliograph/database';
import { CatalogService, smsEntities } from '@heliograph/sms-api';
import { tenancyEntities, TenancyService } from '@heliograph/tenancy';

export const GRANT = 1_000_000_000;
export const HOT_KEY = benchKey(0);

/** The key of the nth organization of the bench. */
export function benchKey(index: number): string {
  return `msg_live_benchBenchBenchBenchBenchBench${String(index).padStart(6, '0')}`;
}

/** The payment processor's customer who pays for the workspace of the nth organization. */
export function benchCustomer(index: number): string {
  return `cus_bench_${index}`;
}

export interface SeedOptions {
  /** A second workspace in each organization, which the first can give credits to. */
  siblings?: boolean;
}

/** Organizations that can send, each with one workspace, its customer, and more credits than it can spend. */
export async function seed(
  databaseUrl: string,
  organizations: number,
  { siblings = false }: SeedOptions = {},
): Promise<void> {
  const settings = databaseSettings.parse({ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: 4 });
  const entities = [...tenancyEntities, ...authEntities, ...creditsEntities, ...smsEntities];
  const dataSource = await createDataSource(settings, 'bench seed', entities).initialize();
  const [tenancy, keys, catalog] = [
    new TenancyService(dataSource),
    new ApiKeysService(dataSource),
    new CatalogService(dataSource),
  ];
  for (let index = 0; index < organizations; index++) {
    const slug = `bench-${index}`;
    const { id: organizationId } = await tenancy.putOrganization({ slug, name: slug, ipAllowlist: [] });
    const details = { slug, displayName: slug, plan: 'pro', status: 'active' } as const;
    const workspace = await tenancy.putWorkspace(organizationId, { ...details, billingCustomer: benchCustomer(index) });
    if (siblings) {
      await tenancy.putWorkspace(organizationId, { ...details, slug: `${slug}-sibling`, billingCustomer: null });
    }
    const secret = benchKey(index);
    await keys.put(
      organizationId,
      { name: slug, scopes: [], role: 'owner', workspaceId: null, expiresAt: null, revoked: false },
      secret,
      () => secret,
    );
    const onboarding = await catalog.putOnboarding(organizationId, {
      name: 'india',
      country: 'IN',
      status: 'approved',
      dltEntityId: '1101000000000000001',
    });
    const registered = { onboardingId: onboarding.id, isActive: true };
    await catalog.putSender(organizationId, { ...registered, header: 'BENCHS', dltSenderId: '1105000000000000001' });
    await catalog.putTemplate(organizationId, {
      ...registered,
      name: 'otp',
      body: 'Your code is {{code}}',
      dltTemplateId: '1107000000000000001',
    });
    await post(poolOf(dataSource), [
      {
        organizationId,
        workspaceId: workspace.id,
        creditType: 'sms',
        kind: 'topup',
        amount: GRANT,
        reference: `bench:${workspace.id}`,
        correlationId: null,
      },
    ]);
  }
  await dataSource.destroy();
}
