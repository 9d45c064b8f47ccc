import { PassThrough } from 'node:stream';
import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { LOGGER, Periodic, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { TEXT_FORMATS } from './formats/report-format';
import type { TextFormat } from './formats/row-writer';
import { XlsxWriter } from './formats/xlsx-writer';
import { fileOf } from './report';
import { HEARTBEAT_MS, ReportLeases, type LeasedReport } from './report-leases';
import { REPORT_SOURCES } from './sources';
import { REPORT_STORAGE, type ReportStorage, type UnfinishedFile } from './storage/report-storage';

const POLL_MS = 2_000;
/** Reports that one process writes at the same time. */
const MAX_RUNNING = 4;

interface Run extends LeasedReport {
  stopping: AbortController;
  rows: number;
  done: Promise<void>;
}

/**
 * Writes reports to the storage. A process that takes over from a crashed one continues a text file behind its last durable
 * rows, and begins a workbook again. The file appears when it is complete.
 */
@Injectable()
export class ReportRunner implements OnModuleDestroy {
  private readonly runs = new Set<Run>();

  constructor(
    private readonly pool: Pool,
    private readonly leases: ReportLeases,
    @Inject(REPORT_STORAGE) private readonly storage: ReportStorage,
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
      if (!(await this.leases.extendLease(run, run.rows))) run.stopping.abort();
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
    const { report } = run;
    const { format, progress } = report;
    const file = await this.storage.open(fileOf(report), format === 'xlsx' ? null : (progress?.file ?? null));
    try {
      await (format === 'xlsx' ? this.writeWorkbook(run, file) : this.writeText(run, file, TEXT_FORMATS[format]));
      // A run without a lease must not replace the file of its successor.
      if (!(await this.leases.extendLease(run, run.rows))) run.stopping.abort();
      run.stopping.signal.throwIfAborted();
      await file.finish();
    } finally {
      await file.close(format !== 'xlsx');
    }
    await this.leases.complete(run, run.rows, file.bytes);
  }

  private async writeText(run: Run, file: UnfinishedFile, format: TextFormat): Promise<void> {
    const { report, stopping } = run;
    const source = REPORT_SOURCES[report.type];
    const continued = file.continuedBytes > 0 ? report.progress : null;
    if (continued === null) await file.append(Buffer.from(format.header(source.columns)));
    run.rows = continued?.rows ?? 0;
    for await (const { rows, position } of source.batches(this.pool, report, continued?.position ?? null)) {
      stopping.signal.throwIfAborted();
      const state = await file.append(Buffer.from(format.lines(source.columns, rows)));
      run.rows += rows.length;
      if (state === null) continue;
      if (!(await this.leases.checkpoint(run, { rows: run.rows, position, file: state }))) stopping.abort();
    }
    stopping.signal.throwIfAborted();
  }

  private async writeWorkbook(run: Run, file: UnfinishedFile): Promise<void> {
    const target = new PassThrough();
    const stored = (async () => {
      for await (const chunk of target) await file.append(chunk as Buffer);
    })();
    const produced = this.produceWorkbook(run, target).catch((error: unknown) => {
      target.destroy(error instanceof Error ? error : new Error(String(error)));
      throw error;
    });
    // The library can wait forever for the end of a stream that has failed.
    await Promise.all([produced, stored]);
  }

  private async produceWorkbook(run: Run, target: PassThrough): Promise<void> {
    const { report, stopping } = run;
    const source = REPORT_SOURCES[report.type];
    const writer = new XlsxWriter(source.columns, target);
    for await (const { rows } of source.batches(this.pool, report, null)) {
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
