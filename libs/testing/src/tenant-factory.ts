import { randomBytes } from 'node:crypto';
import { ApiKey, ApiKeysService, ApiKeyUse, authEntities, generateKey, type ApiKeyDetails } from '@heliograph/auth';
import type { CreditType } from '@heliograph/contracts';
import { post } from '@heliograph/credits';
import { createDataSource, databaseConfigSchema, newId, poolOf } from '@heliograph/database';
import {
  tenancyEntities,
  TenancyService,
  type OrganizationDetails,
  type Workspace,
  type WorkspaceDetails,
} from '@heliograph/tenancy';
import type { DataSource } from 'typeorm';

/** Creates tenants through the services of the product, with valid defaults. */
export class TenantFactory {
  private readonly tenancy: TenancyService;
  private readonly keys: ApiKeysService;

  private constructor(readonly dataSource: DataSource) {
    this.tenancy = new TenancyService();
    this.keys = new ApiKeysService(dataSource.getRepository(ApiKey), dataSource.getRepository(ApiKeyUse));
  }

  static async connect(
    databaseUrl: string,
    entities: Parameters<typeof createDataSource>[2] = [],
  ): Promise<TenantFactory> {
    const settings = databaseConfigSchema.parse({
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: 2,
      // On a busy machine, thirty concurrent tenants can wait long for two connections.
      DATABASE_CONNECT_TIMEOUT_MS: 30_000,
    });
    const all = [...tenancyEntities, ...authEntities, ...entities];
    return new TenantFactory(await createDataSource(settings, 'test factory', all).initialize());
  }

  close(): Promise<void> {
    return this.dataSource.destroy();
  }

  organization(details: Partial<OrganizationDetails> = {}): ReturnType<TenancyService['putOrganization']> {
    const slug = details.slug ?? `org-${unique()}`;
    return this.dataSource.transaction((transaction) =>
      this.tenancy.putOrganization(transaction, { name: slug, ipAllowlist: [], ...details, slug }),
    );
  }

  async workspace(
    organizationId: string,
    { credits = {}, ...details }: Partial<WorkspaceDetails> & { credits?: Partial<Record<CreditType, number>> } = {},
  ): Promise<Workspace> {
    const slug = details.slug ?? `workspace-${unique()}`;
    const workspace = await this.dataSource.transaction((transaction) =>
      this.tenancy.putWorkspace(transaction, organizationId, {
        displayName: slug,
        plan: 'pro',
        status: 'active',
        billingCustomer: null,
        ...details,
        slug,
      }),
    );
    for (const [creditType, amount] of Object.entries(credits))
      if (amount > 0) await this.topUp(workspace, creditType as CreditType, amount);
    return workspace;
  }

  async topUp(
    workspace: { id: string; organizationId: string },
    creditType: CreditType,
    amount: number,
  ): Promise<void> {
    await post(poolOf(this.dataSource), [
      {
        organizationId: workspace.organizationId,
        workspaceId: workspace.id,
        creditType,
        kind: 'topup',
        amount,
        reference: `test:${newId()}`,
        correlationId: null,
      },
    ]);
  }

  /** Returns the complete key. A repeated name updates the existing key. */
  async key(
    organizationId: string | null,
    details: Partial<ApiKeyDetails> & { secret?: string } = {},
  ): Promise<string> {
    const { secret = generateKey('msg'), ...rest } = details;
    await this.keys.put(
      this.dataSource.manager,
      organizationId,
      {
        name: `key-${unique()}`,
        scopes: [],
        role: 'owner',
        workspaceId: null,
        expiresAt: null,
        revoked: false,
        ...rest,
      },
      secret,
      () => secret,
    );
    return secret;
  }
}

export function unique(): string {
  return randomBytes(5).toString('hex');
}
