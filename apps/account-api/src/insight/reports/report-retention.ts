import { Inject, Injectable } from '@nestjs/common';
import type { PersonAddressKind } from '@heliograph/tenancy';
import { CONFIG, Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { AccountApiConfig } from '../../account-api.config';
import { fileOf, type Report, type ReportError, type ReportType } from './report';
import { REPORT_STORAGE, type ReportStorage } from './storage/report-storage';

const CLEAN_UP_MS = 10 * 60_000;
const ERASE_MS = 30_000;
const ERASED: ReportError = {
  code: 'PERSON_ERASED',
  message: 'A person was erased after this report was started. Request the report again.',
};

/** The reports that can contain a person, by the kind of the address. */
const TYPES_WITH: Readonly<Record<PersonAddressKind, readonly ReportType[]>> = {
  email: ['email_messages', 'email_events', 'contacts', 'campaign'],
  phone: ['sms_messages', 'chatapp_messages', 'contacts', 'campaign'],
};

type StoredFile = Pick<Report, 'id' | 'organizationId' | 'format' | 'progress'>;
const FILE = `r.id, r.organization_id AS "organizationId", r.format, r.progress`;

/** Deletes the files of old reports, and of reports with persons who have been erased since. */
@Injectable()
export class ReportRetention {
  constructor(
    private readonly pool: Pool,
    @Inject(REPORT_STORAGE) private readonly storage: ReportStorage,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
  ) {}

  @Periodic({ everyMs: CLEAN_UP_MS, role: 'worker' })
  async deleteOld(): Promise<void> {
    const { rows } = await this.pool.query<StoredFile>(
      `SELECT ${FILE} FROM analytics.reports AS r
       WHERE r.created_at < now() - $1 * interval '1 day' AND r.status IN ('completed', 'failed')
       ORDER BY r.created_at LIMIT 100`,
      [this.config.REPORTS_RETENTION_DAYS],
    );
    for (const report of rows) {
      await this.removeFile(report);
      await this.pool.query('DELETE FROM analytics.reports WHERE id = $1', [report.id]);
    }
  }

  /**
   * Expires reports that were started before the erasure of a person was complete in all source tables, and restarts running
   * ones. The services erase their tables one after the other, so that a report can read a row that is still to be erased.
   */
  @Periodic({ everyMs: ERASE_MS, role: 'worker' })
  async expireErased(): Promise<void> {
    const { rows } = await this.pool.query<StoredFile>(
      `SELECT ${FILE} FROM analytics.reports AS r
       WHERE (r.status IN ('completed', 'running') OR r.progress IS NOT NULL) AND r.started_at IS NOT NULL AND EXISTS (
         SELECT FROM persons.erasures AS e
         WHERE e.organization_id = r.organization_id AND r.started_at <= coalesce(e.finished_at, e.requested_at)
           AND r.type = ANY (CASE e.kind WHEN 'email' THEN $1::text[] ELSE $2::text[] END))
       ORDER BY r.id LIMIT 100`,
      [TYPES_WITH.email, TYPES_WITH.phone],
    );
    for (const report of rows) {
      // A run that has lost its lease stops, and its file is never complete.
      await this.pool.query(
        `UPDATE analytics.reports SET progress = NULL, lease_until = NULL, run_id = NULL, started_at = NULL,
           status = CASE WHEN status IN ('queued', 'running') THEN 'queued' ELSE 'failed' END,
           error_code = CASE WHEN status IN ('queued', 'running') THEN NULL ELSE $2 END,
           error = CASE WHEN status IN ('queued', 'running') THEN NULL ELSE $3 END
         WHERE id = $1`,
        [report.id, ERASED.code, ERASED.message],
      );
      await this.removeFile(report);
    }
  }

  /** Expires what can contain a person, and replaces the address in filters. */
  async erase(organizationId: string, value: string, mask: string): Promise<void> {
    await this.pool.query(
      `UPDATE analytics.reports SET filters = (
         SELECT jsonb_object_agg(f.key, CASE WHEN lower(f.value) = lower($2) THEN $3 ELSE f.value END) FROM jsonb_each_text(filters) AS f)
       WHERE organization_id = $1 AND EXISTS (SELECT FROM jsonb_each_text(filters) AS f WHERE lower(f.value) = lower($2))`,
      [organizationId, value, mask],
    );
    await this.expireErased();
  }

  private async removeFile(report: StoredFile): Promise<void> {
    await this.storage.remove(fileOf(report), report.progress?.file ?? null);
  }
}
