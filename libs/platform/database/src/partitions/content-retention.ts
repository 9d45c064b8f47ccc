import type { Pool } from 'pg';
import { inIdRanges } from './id-ranges';
import { firstIdOf } from '../ids';

/** Interval of the runs. */
export const CONTENT_RETENTION_MS = 60 * 60_000;
/** A run that starts at the oldest row again finds what was still in use before. */
const RUNS_PER_ROUND = 24;
const DAY_MS = 86_400_000;

export interface ContentRetentionOptions {
  /** Its ids begin with the creation time. */
  table: string;
  days: number;
  /** The assignments that delete the content. */
  empty: string;
  /** Selects the rows that have content and are not in use. `$1` and `$2` are taken. */
  where: string;
}

/** Deletes the content of old rows, which remain as a log. Continues where the previous run ended. */
export class ContentRetention {
  private after: string | undefined;
  private runs = 0;

  constructor(
    private readonly pool: Pool,
    private readonly options: ContentRetentionOptions,
  ) {}

  async run(until: AbortSignal): Promise<void> {
    const { table, days, empty, where } = this.options;
    const before = firstIdOf(new Date(Date.now() - days * DAY_MS));
    const after = this.runs % RUNS_PER_ROUND === 0 ? undefined : this.after;
    this.runs += 1;
    const visit = async (from: string, upTo: string): Promise<void> => {
      await this.pool.query(`UPDATE ${table} SET ${empty} WHERE id > $1 AND id <= $2 AND ${where}`, [from, upTo]);
      this.after = upTo;
    };
    await inIdRanges(this.pool, table, visit, { before, until, ...(after === undefined ? {} : { after }) });
  }
}
