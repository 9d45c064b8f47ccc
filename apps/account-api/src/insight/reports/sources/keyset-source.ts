import { firstIdOf, selectList } from '@heliograph/database';
import type { Pool } from 'pg';
import type { ReportRow } from '../formats/row-writer';
import type { Report, RowPosition } from '../report';
import type { ReportFilter } from './filters';
import { BATCH, type ReportBatch, type ReportSource } from './report-source';

const HOUR_MS = 60 * 60_000;

/** Options of a source whose rows have UUIDv7 ids, which sort by time. */
export interface KeysetOptions {
  /** The SQL expression of each column of the report. */
  columns: Readonly<Record<string, string>>;
  filters: Readonly<Record<string, ReportFilter>>;
  required?: readonly string[];
  /** FROM clause with all joins. */
  from: string;
  /** The id by which the rows are sorted. */
  id: string;
  /** A second column for sorting rows with the same id. */
  tieBreaker?: string;
  /** The timestamp to which the time range of the report applies. */
  time: string;
  /** True if the timestamp can be more than an hour later than the id, such as events that happen after their message. */
  isTimeLater?: boolean;
  organization: string;
  /** Column of the workspace; null if the rows belong to no workspace. */
  workspace: string | null;
}

interface KeysetRow {
  keyset_id: string;
  keyset_tie: string | null;
}

/** Reads batches of rows, each after the last row of the previous batch. Bounds on the ids allow partition pruning. */
export function keysetSource(options: KeysetOptions): ReportSource {
  return {
    columns: Object.keys(options.columns),
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

/** Returns the statement of one batch. */
export function statementOf(
  { organizationId, workspaceId, filters, since, before }: Report,
  { columns, from, id, tieBreaker, time, isTimeLater = false, organization, workspace, ...options }: KeysetOptions,
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
  const text = `SELECT ${selectList(columns)}, ${id} AS keyset_id, ${tie} AS keyset_tie
    FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${BATCH}`;
  return { text, values };
}
