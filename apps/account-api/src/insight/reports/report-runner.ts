import { PassThrough } from 'node:stream';
import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { FairJobs, LaneObserver, type ClaimRequest, type JobTurns } from '@heliograph/fairness';
import { LOGGER, Periodic, Turns, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { TEXT_FORMATS } from './formats/report-format';
import type { ReportRow, TextFormat } from './formats/row-writer';
import { XlsxWriter } from './formats/xlsx-writer';
import { fileOf } from './report';
import { HEARTBEAT_MS, ReportLeases, type LeasedReport } from './report-leases';
import { REPORT_SOURCES } from './sources';
import { REPORT_STORAGE, type ReportStorage, type UnfinishedFile } from './storage/report-storage';

const POLL_MS = 1_000;
/** Reports of which a process writes a batch at the same time. */
const MAX_RUNNING = 4;
const LINES_AT_ONCE = 50;

/** A report that this process writes. */
interface Run extends LeasedReport {
  /** Aborted if the lease is lost, or the report must be released. */
  stopping: AbortController;
  rows: number;
}

/**
 * Writes reports to the storage, in batches that alternate between organizations. A process that takes over from a crashed one
 * continues a text file behind its last durable rows, and begins a workbook again. The file appears when it is complete.
 */
@Injectable()
export class ReportRunner implements OnModuleDestroy {
  private readonly jobs: FairJobs<Run>;

  constructor(
    private readonly pool: Pool,
    private readonly leases: ReportLeases,
    @Inject(REPORT_STORAGE) private readonly storage: ReportStorage,
    @Inject(LOGGER) private readonly log: Logger,
    observer: LaneObserver,
  ) {
    this.jobs = new FairJobs({
      stage: 'reports',
      slots: MAX_RUNNING,
      claim: (request) => this.claim(request),
      run: (run, turns) => this.runOnce(run, turns),
      release: (run) => this.stored(run, this.leases.release(run)),
      observer,
    });
  }

  @Periodic({ everyMs: POLL_MS, role: 'worker' })
  async startWaiting(): Promise<void> {
    await this.jobs.fill();
  }

  @Periodic({ everyMs: HEARTBEAT_MS, role: 'worker' })
  async keepLeases(): Promise<void> {
    for (const run of this.jobs.open()) {
      if (!(await this.leases.extendLease(run, run.rows))) run.stopping.abort();
    }
  }

  async onModuleDestroy(): Promise<void> {
    await this.jobs.stop();
  }

  private async claim(request: ClaimRequest): Promise<Run | null> {
    const leased = await this.leases.claimAcrossTenants(request);
    return leased && { ...leased, stopping: new AbortController(), rows: 0 };
  }

  private async runOnce(run: Run, turns: JobTurns): Promise<void> {
    const written = this.run(run, turns).catch((error: unknown) => this.giveUp(run, error));
    await this.stored(run, written);
  }

  private async stored({ report }: Run, change: Promise<unknown>): Promise<void> {
    await change.catch((error: unknown) =>
      this.log.warn(
        { err: error, reportId: report.id },
        'failed to store the state of a report; it is written again after its lease expires',
      ),
    );
  }

  private async run(run: Run, turns: JobTurns): Promise<void> {
    const { report } = run;
    const { format, progress } = report;
    const file = await this.storage.open(fileOf(report), format === 'xlsx' ? null : (progress?.file ?? null));
    try {
      await (format === 'xlsx'
        ? this.writeWorkbook(run, file, turns)
        : this.writeText(run, file, TEXT_FORMATS[format], turns));
      // A run without a lease must not replace the file of its successor.
      if (!(await this.leases.extendLease(run, run.rows))) run.stopping.abort();
      run.stopping.signal.throwIfAborted();
      await file.finish();
    } finally {
      await file.close(format !== 'xlsx');
    }
    await this.leases.complete(run, run.rows, file.bytes);
  }

  private async writeText(run: Run, file: UnfinishedFile, format: TextFormat, turns: JobTurns): Promise<void> {
    const { report, stopping } = run;
    const source = REPORT_SOURCES[report.type];
    const continued = file.continuedBytes > 0 ? report.progress : null;
    if (continued === null) await file.append(Buffer.from(format.header(source.columns)));
    run.rows = continued?.rows ?? 0;
    for await (const { rows, position } of source.batches(this.pool, report, continued?.position ?? null)) {
      stopping.signal.throwIfAborted();
      const state = await file.append(await linesOf(format, source.columns, rows));
      run.rows += rows.length;
      if (state !== null && !(await this.leases.checkpoint(run, { rows: run.rows, position, file: state })))
        stopping.abort();
      await nextTurn(run, turns);
    }
    stopping.signal.throwIfAborted();
  }

  private async writeWorkbook(run: Run, file: UnfinishedFile, turns: JobTurns): Promise<void> {
    const target = new PassThrough();
    const stored = (async () => {
      for await (const chunk of target) await file.append(chunk as Buffer);
    })();
    const produced = this.produceWorkbook(run, target, turns).catch((error: unknown) => {
      target.destroy(error instanceof Error ? error : new Error(String(error)));
      throw error;
    });
    // The library can wait forever for the end of a stream that has failed.
    await Promise.all([produced, stored]);
  }

  private async produceWorkbook(run: Run, target: PassThrough, turns: JobTurns): Promise<void> {
    const { report, stopping } = run;
    const source = REPORT_SOURCES[report.type];
    const writer = new XlsxWriter(source.columns, target);
    for await (const { rows } of source.batches(this.pool, report, null)) {
      stopping.signal.throwIfAborted();
      await writer.write(rows);
      run.rows += rows.length;
      await nextTurn(run, turns);
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

/** Aborts the run if it must be released. */
async function nextTurn({ stopping }: Run, turns: JobTurns): Promise<void> {
  if (!(await turns.next())) stopping.abort();
  stopping.signal.throwIfAborted();
}

/** The rows as text, with other work of the event loop between them. */
async function linesOf(format: TextFormat, columns: readonly string[], rows: readonly ReportRow[]): Promise<Buffer> {
  const cpu = new Turns();
  const parts: string[] = [];
  for (let first = 0; first < rows.length; first += LINES_AT_ONCE) {
    parts.push(format.lines(columns, rows.slice(first, first + LINES_AT_ONCE)));
    await cpu.next();
  }
  return Buffer.from(parts.join(''));
}
