import { PassThrough, Transform, type TransformCallback } from 'node:stream';
import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { CONFIG, LOGGER, Periodic, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { AccountApiConfig } from '../account-api.config';
import { writerOf } from './formats/report-format';
import { fileOf } from './report';
import { HEARTBEAT_MS, ReportLeases, type LeasedReport } from './report-leases';
import { REPORT_SOURCES } from './sources';
import { REPORT_STORAGE, type ReportStorage } from './storage/report-storage';

const POLL_MS = 2_000;
const CLEAN_UP_MS = 10 * 60_000;
/** Maximum number of reports that one process writes concurrently. */
const MAX_RUNNING = 4;

interface Run extends LeasedReport {
  stopping: AbortController;
  rows: number;
  done: Promise<void>;
}

/**
 * Writes reports to the storage. If a process crashes, another process starts the file again, because neither a
 * workbook nor an upload can be continued. The file is only visible when it is complete.
 */
@Injectable()
export class ReportRunner implements OnModuleDestroy {
  private readonly runs = new Set<Run>();

  constructor(
    private readonly pool: Pool,
    private readonly leases: ReportLeases,
    @Inject(REPORT_STORAGE) private readonly storage: ReportStorage,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  @Periodic({ everyMs: POLL_MS, role: 'worker' })
  async startWaiting(stopping: AbortSignal): Promise<void> {
    while (this.runs.size < MAX_RUNNING && !stopping.aborted && (await this.leases.isWaiting())) {
      const leased = await this.leases.claim();
      if (!leased) return;
      this.start(leased);
    }
  }

  @Periodic({ everyMs: HEARTBEAT_MS, role: 'worker' })
  async keepLeases(): Promise<void> {
    for (const run of this.runs) {
      if (!(await this.leases.beat(run, run.rows))) run.stopping.abort();
    }
  }

  @Periodic({ everyMs: CLEAN_UP_MS, role: 'worker' })
  async cleanUp(): Promise<void> {
    for (const { id, file } of await this.leases.expired(this.config.REPORTS_RETENTION_DAYS)) {
      await this.storage.remove(file);
      await this.leases.forget(id);
    }
  }

  async onModuleDestroy(): Promise<void> {
    const runs = [...this.runs];
    for (const { stopping } of runs) stopping.abort();
    await Promise.all(runs.map(({ done }) => done));
  }

  private start(leased: LeasedReport): void {
    const run: Run = { ...leased, stopping: new AbortController(), rows: 0, done: Promise.resolve() };
    this.runs.add(run);
    run.done = this.run(run)
      .catch((error: unknown) => this.giveUp(run, error))
      .catch((error: unknown) =>
        this.log.warn(
          { err: error, reportId: run.report.id },
          'failed to store the state of a report; it is written again after its lease expires',
        ),
      )
      .finally(() => this.runs.delete(run));
  }

  private async run(run: Run): Promise<void> {
    const { report, stopping } = run;
    const counter = new ByteCounter();
    const target = new PassThrough();
    target.pipe(counter);
    target.on('error', (error) => counter.destroy(error));
    counter.on('error', (error) => target.destroy(error));
    const produced = this.produce(run, target).catch((error: unknown) => {
      target.destroy(error instanceof Error ? error : new Error(String(error)));
      throw error;
    });
    const stored = this.storage.write(fileOf(report), counter).catch((error: unknown) => {
      counter.destroy(error instanceof Error ? error : new Error(String(error)));
      throw error;
    });
    const results = await Promise.allSettled([produced, stored]);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    stopping.signal.throwIfAborted();
    await this.leases.complete(run, run.rows, counter.bytes);
  }

  private async produce(run: Run, target: PassThrough): Promise<void> {
    const { report, stopping } = run;
    const source = REPORT_SOURCES[report.type];
    const writer = writerOf(report.format, source.columns, target);
    for await (const rows of source.batches(this.pool, report)) {
      stopping.signal.throwIfAborted();
      await writer.write(rows);
      run.rows += rows.length;
    }
    stopping.signal.throwIfAborted();
    await writer.end();
  }

  private async giveUp(run: Run, error: unknown): Promise<void> {
    if (run.stopping.signal.aborted) {
      await this.leases.release(run);
      return;
    }
    this.log.warn(
      { err: error, reportId: run.report.id },
      'failed to write a report; it is retried until the last attempt',
    );
    await this.leases.fail(run);
  }
}

class ByteCounter extends Transform {
  bytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    done(null, chunk);
  }
}
