import { Inject, Injectable } from '@nestjs/common';
import { deleteEntriesBefore } from '@heliograph/tenancy';
import { CONFIG, Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { AccountApiConfig } from '../../account-api.config';

const DAY_MS = 86_400_000;

@Injectable()
export class AuditRetentionService {
  constructor(
    private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
  ) {}

  @Periodic({ everyMs: 60 * 60_000, role: 'worker' })
  async deleteOldEntries(stopping: AbortSignal): Promise<void> {
    const oldest = new Date(Date.now() - this.config.AUDIT_RETENTION_DAYS * DAY_MS);
    await deleteEntriesBefore(this.pool, oldest, stopping);
  }
}
