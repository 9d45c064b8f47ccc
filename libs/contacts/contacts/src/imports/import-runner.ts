import { Inject, Injectable } from '@nestjs/common';
import { OrganizationQuota, type LimitsConfig } from '@heliograph/limits';
import { AppError, isDependencyFailure } from '@heliograph/errors';
import { isUniqueViolation } from '@heliograph/database';
import { CONFIG, LOGGER, Periodic, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { CONTACTS } from '../limited-kinds';
import type { ContactImport } from './contact-import';
import { ContactsChanged, importBatch } from './import-batch';
import { importRecords, UnreadableFile, type ImportRecord } from './import-records';
import { readImportRow } from './import-row';
import { ImportsRepository } from './imports.repository';

const POLL_MS = 2_000;
const CLEAN_UP_MS = 10 * 60_000;
const LEASE_MS = 60_000;
const BATCH = 1_000;
const ATTEMPTS = 5;
/** Number of errors without progress after which an import fails. An outage does not count. */
const MAX_FAILURES = 5;

const FAILED =
  'The import failed because of an internal error. The rows that it counts were processed; import the others again.';

/** Another process continues the import. */
class Superseded extends Error {}

/**
 * Runs imports. The rows of a batch are committed together with the number of processed rows, so that a process that
 * continues after a crash counts no row twice.
 */
@Injectable()
export class ImportRunner {
  private readonly quota: OrganizationQuota;

  constructor(
    private readonly imports: ImportsRepository,
    private readonly dataSource: DataSource,
    pool: Pool,
    @Inject(CONFIG) { LIMITS_CONTACTS: most = 0 }: Partial<LimitsConfig>,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    this.quota = new OrganizationQuota(pool, CONTACTS, most);
  }

  @Periodic({ everyMs: POLL_MS, role: 'worker' })
  async runNext(stopping: AbortSignal): Promise<void> {
    const job = await this.imports.claim(LEASE_MS);
    if (!job) return;
    try {
      if (await this.run(job, stopping)) await this.imports.finish(job.id, null);
      else await this.imports.release(job.id);
    } catch (error) {
      if (error instanceof Superseded) return;
      if (error instanceof UnreadableFile || (error instanceof AppError && error.status < 500)) {
        await this.imports.finish(job.id, error.message);
        return;
      }
      if (!isDependencyFailure(error) && (await this.imports.countFailure(job.id)) >= MAX_FAILURES) {
        this.log.error({ err: error, importId: job.id }, 'an import failed');
        await this.imports.finish(job.id, FAILED);
        return;
      }
      // The lease expires, and the import continues after the last batch.
      this.log.warn({ err: error, importId: job.id }, 'an import was interrupted; it will be retried');
    }
  }

  @Periodic({ everyMs: CLEAN_UP_MS, role: 'worker' })
  async cleanUp(): Promise<void> {
    await this.imports.cleanUp();
  }

  /** False if the process stops before the end. */
  private async run(job: ContactImport, stopping: AbortSignal): Promise<boolean> {
    let done = job.total;
    let position = 0;
    let batch: ImportRecord[] = [];
    const records = importRecords(this.imports.chunks(job.id), job.format, job.options);
    let unreadable: UnreadableFile | null = null;
    try {
      for await (const record of records) {
        if (position++ < job.total) continue;
        batch.push(record);
        if (batch.length < BATCH) continue;
        done += await this.store(job, done, batch);
        batch = [];
        if (stopping.aborted) return false;
      }
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      unreadable = error;
    }
    // The rows before the one that cannot be read are imported.
    if (batch.length > 0) await this.store(job, done, batch);
    if (unreadable) throw unreadable;
    return true;
  }

  /** Returns the number of rows. */
  private async store(
    job: ContactImport,
    done: number,
    records: readonly ImportRecord[],
    attempt = 1,
  ): Promise<number> {
    const read = records.map((record) => readImportRow(record, job.options));
    const invalid = read.flatMap((one) => ('message' in one ? [one] : []));
    const rows = read.flatMap((one) => ('message' in one ? [] : [one]));
    try {
      await this.dataSource.transaction(async (transaction) => {
        if (!(await this.imports.lock(transaction, job.id, done))) throw new Superseded();
        const { counts, errors } = await importBatch(transaction, job, rows);
        await this.quota.reserve(job.organizationId, counts.created);
        const all = [...invalid, ...errors];
        const total = { ...counts, invalid: counts.invalid + invalid.length };
        await this.imports.advance(transaction, job.id, total, all, LEASE_MS);
      });
    } catch (error) {
      const isOutdated = error instanceof ContactsChanged || isUniqueViolation(error);
      if (isOutdated && attempt < ATTEMPTS) return this.store(job, done, records, attempt + 1);
      throw error;
    }
    return records.length;
  }
}
