import { Inject, Injectable } from '@nestjs/common';
import { clientOf } from '@heliograph/database';
import { CONFIG } from '@heliograph/service-kit';
import type { EntityManager } from 'typeorm';
import { countSql, limitReached, type LimitedKind } from './limited-kind';
import type { LimitsConfig } from './limits.config';

/** Limits the number of objects per organization exactly, because concurrent creations of a kind are serialized. */
@Injectable()
export class OrganizationLimits {
  constructor(@Inject(CONFIG) private readonly config: Partial<LimitsConfig>) {}

  /**
   * Call this before objects are created in the transaction. It waits for concurrent creations of the organization.
   * Throws LIMIT_REACHED.
   */
  async assertRoom(
    transaction: EntityManager,
    organizationId: string,
    kind: LimitedKind,
    added: number = 1,
  ): Promise<void> {
    const most = this.config[kind.setting] ?? 0;
    if (most === 0 || added === 0) return;
    const client = await clientOf(transaction);
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${kind.setting} ${organizationId}`]);
    const { rows } = await client.query<{ count: number }>(countSql(kind), [organizationId, most]);
    if ((rows[0]?.count ?? 0) + added > most) throw limitReached(kind.setting, most);
  }
}
