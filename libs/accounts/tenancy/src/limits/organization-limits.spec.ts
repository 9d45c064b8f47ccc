import { createDataSource, databaseConfigSchema, newId } from '@heliograph/database';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { tenancyEntities, tenancyMigrations } from '../migration-set';
import { TenancyService } from '../tenancy.service';
import { messagingMigrations } from '@heliograph/messaging';
import { poolOf } from '@heliograph/database';
import type { DataSource } from 'typeorm';
import type { LimitedKind } from './limited-kind';
import { OrganizationLimits } from './organization-limits';
import { OrganizationQuota } from './organization-quota';

const WORKSPACES: LimitedKind = {
  setting: 'LIMITS_WORKSPACES',
  rows: 'SELECT FROM tenancy.workspaces WHERE organization_id = $1',
};

describe('the limits of an organization', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let tenancy: TenancyService;
  let organizationId: string;
  beforeAll(async () => {
    database = await createTestDatabase([tenancyMigrations, messagingMigrations]);
    const settings = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 8 });
    dataSource = await createDataSource(settings, 'limits', tenancyEntities).initialize();
    tenancy = new TenancyService();
  });
  beforeEach(async () => {
    const slug = `o${newId().slice(-12)}`;
    organizationId = (await tenancy.putOrganization(dataSource.manager, { slug, name: slug, ipAllowlist: [] })).id;
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const createWith = (limits: OrganizationLimits) =>
    dataSource.transaction(async (transaction) => {
      await limits.assertRoom(transaction, organizationId, WORKSPACES);
      const slug = `w${newId().slice(-12)}`;
      const details = { slug, displayName: slug, plan: 'free', status: 'active', billingCustomer: null } as const;
      await tenancy.createWorkspace(transaction, organizationId, details, null);
    });

  it('apply to concurrent creations, and the error explains how to continue', async () => {
    const limits = new OrganizationLimits({ LIMITS_WORKSPACES: 3 });
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => createWith(limits)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    await expect(createWith(limits)).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
      status: 409,
      message: expect.stringMatching(/limit of 3 workspaces\. .*raise LIMITS_WORKSPACES/) as string,
    });
  });

  it('are disabled by 0', async () => {
    const limits = new OrganizationLimits({ LIMITS_WORKSPACES: 0 });
    for (let n = 0; n < 3; n++) await expect(createWith(limits)).resolves.toBeUndefined();
  });

  it('are counted when they are first used, and then include later creations', async () => {
    const quota = new OrganizationQuota(poolOf(dataSource), WORKSPACES, 3);
    await createWith(new OrganizationLimits({}));
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => quota.reserve(organizationId)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expect(quota.reserve(organizationId)).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    await expect(quota.reserve(newId())).resolves.toBeUndefined();
  });

  it('can be checked without using capacity', async () => {
    const quota = new OrganizationQuota(poolOf(dataSource), WORKSPACES, 1);
    for (let n = 0; n < 3; n++) await expect(quota.assertAvailable(organizationId)).resolves.toBeUndefined();
    await quota.reserve(organizationId);
    await expect(quota.assertAvailable(organizationId)).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  });
});
