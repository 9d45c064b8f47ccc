import { Inject, Injectable } from '@nestjs/common';
import { OrganizationQuota, type LimitsConfig } from '@heliograph/tenancy';
import { CONFIG } from '@heliograph/service-kit';
import { Pool } from 'pg';

/** Limits the consents that an organization records itself. Consents by keywords and sends are always recorded. */
@Injectable()
export class ConsentLimit {
  private readonly quota: OrganizationQuota;

  constructor(
    private readonly pool: Pool,
    @Inject(CONFIG) { LIMITS_CHATAPP_CONSENTS: most = 0 }: Partial<LimitsConfig>,
  ) {
    const rows = 'SELECT FROM chatapp.consents WHERE organization_id = $1';
    this.quota = new OrganizationQuota(pool, { setting: 'LIMITS_CHATAPP_CONSENTS', rows }, most);
  }

  /** Throws LIMIT_REACHED if the number has no consent yet and the organization has as many as it can have. */
  async assertRoom(organizationId: string, number: string): Promise<void> {
    const { rowCount } = await this.pool.query(
      'SELECT FROM chatapp.consents WHERE organization_id = $1 AND number = $2',
      [organizationId, number],
    );
    if (rowCount === 0) await this.quota.reserve(organizationId);
  }
}
