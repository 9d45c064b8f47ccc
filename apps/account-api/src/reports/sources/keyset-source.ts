import { firstIdOf } from '@heliograph/database';
import type { Pool } from 'pg';
import type { ReportRow } from '../formats/row-writer';
import type { Report, RowPosition } from '../report';
import type { ReportFilter } from './filters';
import { BATCH, type ReportBatch, type ReportSource } from './report-source';

const HOUR_MS = 60 * 60_000;

/** Rows of a table whose UUIDv7 ids sort by time. */
export interface KeysetOptions {
  columns: readonly string[];
  filters: Readonly<Record<string, ReportFilter>>;
  required?: readonly string[];
  /** Expressions of the columns; `AS` names those that are not columns. */
  select: string;
  /** With its joins. */
  from: string;
  /** The id that sorts the rows. */
  id: string;
  /** Sorts rows with the same id. */
  tieBreaker?: string;
  /** The time that the range of the report is about. */
  time: string;
  /** How much later than the id the time can be: events happen after their message. 0: at most an hour. */
  isTimeLater?: boolean;
  organization: string;
  /** Null: the rows belong to no workspace. */
  workspace: string | null;
}

interface KeysetRow {
  keyset_id: string;
  keyset_tie: string | null;
}

/** Reads one batch after the other from the last row of the previous one. The bounds of the ids prune partitions. */
export function keysetSource(options: KeysetOptions): ReportSource {
  return {
    columns: options.columns,
    filters: options.filters,
    ...(options.required ? { required: options.required } : {}),
    batches: (pool, report, after) => batchesOf(pool, report, options, after),
  };
}

async function* batchesOf(
  pool: Pool,
  report: Report,
  options: KeysetOptions,
  after: RowPosition | null,
): AsyncGenerator<ReportBatch> {
  for (let position = after; ;) {
    const { text, values } = statementOf(report, options, position);
    const { rows } = await pool.query<ReportRow & KeysetRow>(text, values);
    const last = rows.at(-1);
    if (!last) return;
    position = { id: last.keyset_id, tie: last.keyset_tie };
    yield { rows, position };
    if (rows.length < BATCH) return;
  }
}

/** The statement of one batch. */
export function statementOf(
  { organizationId, workspaceId, filters, since, before }: Report,
  { select, from, id, tieBreaker, time, isTimeLater = false, organization, workspace, ...options }: KeysetOptions,
  after: RowPosition | null,
): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const value = (one: unknown): string => `$${values.push(one)}`;
  const conditions = [
    `${organization} = ${value(organizationId)}`,
    `${time} < ${value(before)}`,
    `${id} < ${value(firstIdOf(new Date(before.getTime() + HOUR_MS)))}`,
  ];
  if (workspaceId !== null && workspace !== null) conditions.push(`${workspace} = ${value(workspaceId)}`);
  if (since !== null) conditions.push(`${time} >= ${value(since)}`);
  if (since !== null && !isTimeLater) {
    conditions.push(`${id} > ${value(firstIdOf(new Date(Math.max(0, since.getTime() - HOUR_MS))))}`);
  }
  for (const [name, given] of Object.entries(filters)) {
    const filter = options.filters[name];
    if (filter) conditions.push(filter.condition(value(given)));
  }
  const tie = tieBreaker ?? 'NULL::uuid';
  if (after !== null) {
    conditions.push(
      tieBreaker === undefined
        ? `${id} < ${value(after['id'])}`
        : `(${id}, ${tieBreaker}) < (${value(after['id'])}::uuid, ${value(after['tie'])}::uuid)`,
    );
  }
  const order = tieBreaker === undefined ? `${id} DESC` : `${id} DESC, ${tieBreaker} DESC`;
  const text = `SELECT ${select}, ${id} AS keyset_id, ${tie} AS keyset_tie
    FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${BATCH}`;
  return { text, values };
}
