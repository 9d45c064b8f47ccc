import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { FairJobs, LaneObserver, type JobTurns } from '@heliograph/fairness';
import { OrganizationQuota, type LimitsConfig } from '@heliograph/tenancy';
import { AppError, isDependencyFailure } from '@heliograph/errors';
import { isUniqueViolation } from '@heliograph/database';
import { CONFIG, LOGGER, Periodic, Turns, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { CONTACTS } from '../limited-kinds';
import type { ContactImport, ImportCounts, ImportFailure } from './contact-import';
import { ContactsChanged, importBatch } from './import-batch';
import { importRecords, UnreadableFile } from './import-records';
import { readImportRow, type ImportError, type ImportRecord, type ImportRow } from './import-row';
import { ImportsRepository, MAX_WAITING_ROWS } from './imports.repository';
import { orderWaiting } from './waiting-rows';

const POLL_MS = 1_000;
const CLEAN_UP_MS = 10 * 60_000;
const LEASE_MS = 30_000;
const HEARTBEAT_MS = 5_000;
/** Maximum number of rows that are committed together. */
const BATCH = 1_000;
/** The same while imports of other organizations take turns with this one. */
const SHARED_BATCH = 250;
/** Rows that a resumed import skips between two calls of `turns.next`. */
const SKIPPED_ROWS = 1_000;
const ATTEMPTS = 5;
/** Number of errors without progress after which an import fails. An outage does not count. */
const MAX_FAILURES = 5;

const FAILED: ImportFailure = {
  code: 'INTERNAL_ERROR',
  message:
    'The import failed because of an internal error. The rows that it counts were processed; import the others again.',
};

/** The progress that this process has committed. */
type Done = Pick<ContactImport, 'total' | 'waiting'>;

/** What a batch adds to the progress. */
interface Progress {
  counts: ImportCounts;
  errors: ImportError[];
  waiting: number;
}

/** Another process continues the import. */
class Superseded extends Error {}

/**
 * Runs imports, in slices that alternate between organizations. The rows of a batch are committed together with the number of
 * processed rows, so that a process that continues after a crash counts no row twice.
 */
@Injectable()
export class ImportRunner implements OnModuleDestroy {
  private readonly quota: OrganizationQuota;
  private readonly jobs: FairJobs<ContactImport>;

  constructor(
    private readonly imports: ImportsRepository,
    private readonly dataSource: DataSource,
    pool: Pool,
    @Inject(CONFIG) { LIMITS_CONTACTS: most = 0 }: Partial<LimitsConfig>,
    @Inject(LOGGER) private readonly log: Logger,
    observer: LaneObserver,
  ) {
    this.quota = new OrganizationQuota(pool, CONTACTS, most);
    this.jobs = new FairJobs({
      stage: 'contact-imports',
      slots: 1,
      claim: (request) => imports.claimAcrossTenants(request, LEASE_MS),
      run: (job, turns) => this.run(job, turns),
      release: (job) => this.release(job),
      observer,
    });
  }

  @Periodic({ everyMs: POLL_MS, role: 'worker' })
  async runWaiting(): Promise<void> {
    await this.jobs.fill();
  }

  @Periodic({ everyMs: HEARTBEAT_MS, role: 'worker' })
  async keepLeases(): Promise<void> {
    const ids = this.jobs.open().map(({ id }) => id);
    if (ids.length > 0) await this.imports.extendLeases(ids, LEASE_MS);
  }

  @Periodic({ everyMs: CLEAN_UP_MS, role: 'worker' })
  async cleanUp(): Promise<void> {
    await this.imports.cleanUp();
  }

  async onModuleDestroy(): Promise<void> {
    await this.jobs.stop();
  }

  /** Resolves when no import runs in this process, and none waits. */
  idle(): Promise<void> {
    return this.jobs.idle();
  }

  private async run(job: ContactImport, turns: JobTurns): Promise<void> {
    try {
      await this.importFile(job, turns);
    } catch (error) {
      await this.interrupted(job, error).catch((failure: unknown) => this.logInterruption(job, failure));
    }
  }

  private async importFile(job: ContactImport, turns: JobTurns): Promise<void> {
    try {
      if (await this.storeFile(job, turns)) await this.imports.finish(job.id, null);
      else await this.release(job);
    } catch (error) {
      if (!(error instanceof UnreadableFile) && !(error instanceof AppError && error.status < 500)) throw error;
      const code = error instanceof AppError ? error.code : 'INVALID_REQUEST';
      await this.imports.finish(job.id, { code, message: error.message });
    }
  }

  /** The lease expires, and the import continues after the last batch, unless it has failed too often. */
  private async interrupted(job: ContactImport, error: unknown): Promise<void> {
    if (error instanceof Superseded) return;
    if (!isDependencyFailure(error) && (await this.imports.countFailure(job.id)) >= MAX_FAILURES) {
      this.log.error({ err: error, importId: job.id }, 'an import failed');
      await this.imports.finish(job.id, FAILED);
      return;
    }
    this.logInterruption(job, error);
  }

  private logInterruption({ id }: ContactImport, error: unknown): void {
    this.log.warn({ err: error, importId: id }, 'an import was interrupted; it will be retried');
  }

  private async release(job: ContactImport): Promise<void> {
    await this.imports.release(job.id).catch((error: unknown) => this.logInterruption(job, error));
  }

  /** False if the import must be released before its end. */
  private async storeFile(job: ContactImport, turns: JobTurns): Promise<boolean> {
    const done = { total: job.total, waiting: job.waiting };
    let position = 0;
    let batch: ImportRecord[] = [];
    const records = importRecords(this.imports.chunks(job.id), job.format, job.options);
    let unreadable: UnreadableFile | null = null;
    try {
      for await (const record of records) {
        if (position++ < job.total + job.waiting) {
          if (position % SKIPPED_ROWS === 0 && !(await turns.next())) return false;
          continue;
        }
        batch.push(record);
        if (batch.length < (turns.isShared ? SHARED_BATCH : BATCH)) continue;
        await this.storeRecords(job, done, batch);
        batch = [];
        if (!(await turns.next())) return false;
      }
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      unreadable = error;
    }
    // The rows before the one that cannot be read are imported.
    if (batch.length > 0) await this.storeRecords(job, done, batch);
    if (!(await this.storeWaiting(job, done, turns))) return false;
    if (unreadable) throw unreadable;
    return true;
  }

  private async storeRecords(job: ContactImport, done: Done, records: readonly ImportRecord[]): Promise<void> {
    const invalid: ImportError[] = [];
    const rows: ImportRow[] = [];
    const cpu = new Turns();
    for (const record of records) {
      const read = readImportRow(record, job.options);
      if ('message' in read) invalid.push(read);
      else rows.push(read);
      await cpu.next();
    }
    await this.store(job, done, async (transaction) => {
      const waiting = {
        emails: done.waiting > 0 ? await this.imports.waitingEmails(transaction, job.id, rows) : new Set<string>(),
        room: MAX_WAITING_ROWS - done.waiting,
      };
      const groups = rows.map((row) => [row]);
      const result = await importBatch(transaction, job, groups, waiting);
      if (result.waiting.length > 0) await this.imports.keepWaiting(transaction, job.id, result.waiting);
      return {
        counts: { ...result.counts, invalid: result.counts.invalid + invalid.length },
        errors: [...invalid, ...result.errors],
        waiting: result.waiting.length,
      };
    });
  }

  /** Imports the rows whose phone numbers other contacts had when they were read. False if the import must be released before. */
  private async storeWaiting(job: ContactImport, done: Done, turns: JobTurns): Promise<boolean> {
    if (done.waiting === 0) return true;
    const { rows, holders } = await this.imports.waitingRows(job);
    for (const groups of batchesOf(orderWaiting(rows, holders, BATCH))) {
      if (!(await turns.next())) return false;
      await this.store(job, done, async (transaction) => {
        const taken = await this.imports.takeWaiting(transaction, job.id, groups.flat());
        const found = groups.map((group) => group.flatMap((row) => taken.get(row) ?? []));
        const { counts, errors } = await importBatch(transaction, job, found, null);
        return { counts, errors, waiting: -taken.size };
      });
    }
    return true;
  }

  /** Commits a batch together with the progress. */
  private async store(
    job: ContactImport,
    done: Done,
    importRows: (transaction: EntityManager) => Promise<Progress>,
    attempt = 1,
  ): Promise<void> {
    try {
      const { counts, waiting } = await this.dataSource.transaction(async (transaction) => {
        if (!(await this.imports.lock(transaction, job.id, done))) throw new Superseded();
        const progress = await importRows(transaction);
        await this.quota.reserve(job.organizationId, progress.counts.created);
        await this.imports.advance(transaction, job.id, progress.counts, progress.errors, progress.waiting, LEASE_MS);
        return progress;
      });
      done.total += counts.created + counts.updated + counts.skipped + counts.invalid;
      done.waiting += waiting;
    } catch (error) {
      const isOutdated = error instanceof ContactsChanged || isUniqueViolation(error);
      if (isOutdated && attempt < ATTEMPTS) return this.store(job, done, importRows, attempt + 1);
      throw error;
    }
  }
}

/** Whole groups, so that every batch has at most `BATCH` rows. */
function* batchesOf(groups: readonly number[][]): Generator<number[][]> {
  let batch: number[][] = [];
  let size = 0;
  for (const group of groups) {
    if (size > 0 && size + group.length > BATCH) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(group);
    size += group.length;
  }
  if (size > 0) yield batch;
}
