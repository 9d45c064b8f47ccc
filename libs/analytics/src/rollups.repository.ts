import { Injectable } from '@nestjs/common';
import { inTransaction } from '@heliograph/database';
import { Pool } from 'pg';
import { planOfOne, type BlockPlan, type Range } from './block-plan';
import type { Histogram } from './latency';
import { FIGURES, type Figures, type Source } from './sources';

/** A part of the rollups: of one workspace, or of all. */
export interface Scope {
  organizationId: string;
  workspaceId: string | null;
}

/** Figures by place in the list of ranges. Ranges without figures are absent. */
export type Series<S extends Source> = Map<number, Figures<S>>;

const MAX_GROUPS = 1_000;
/** The columns that `blockPlanOf` returns: runs of blocks, and the ranges to which they contribute. */
const RUNS = `unnest($4::integer[], $5::analytics.grain[], $6::timestamptz[], $7::timestamptz[], $8::interval[])
  AS b (run, grain, since, before, step)`;
const USES = `unnest($9::integer[], $10::integer[], $11::integer[]) AS u (place, run, sign)`;
/** What `planOfOne` returns. */
const BLOCKS = `unnest($4::integer[], $5::analytics.grain[], $6::timestamptz[], $7::timestamptz[]) AS b (sign, grain, since, before)`;
/** The lateral query of a run or a block reads one range of the primary key. */
const OF_BLOCK = `r.organization_id = $1 AND r.grain = b.grain AND r.at >= b.since AND r.at < b.before
       AND ($2::uuid IS NULL OR r.workspace_id = $2) AND r.dimension = $3`;

/** Reads the rollups. */
@Injectable()
export class RollupsRepository {
  constructor(private readonly pool: Pool) {}

  /** The figures of each range of the plan. */
  async series<S extends Source>(source: S, scope: Scope, plan: BlockPlan): Promise<Series<S>> {
    const text = seriesOf(`${source}_rollups`, 'total', FIGURES[source]);
    const { rows } = await this.read<Record<string, string>>(text, valuesOf(scope, 'total', plan));
    return new Map(rows.map((row) => [Number(row['place']), figuresOf(source, row)]));
  }

  /** The figures of each range of the plan by key, for a dimension that has few keys. */
  async seriesByKey<S extends Source>(
    source: S,
    scope: Scope,
    plan: BlockPlan,
    dimension: string,
  ): Promise<Map<string, Series<S>>> {
    const text = seriesOf(`${source}_rollups`, 'key', FIGURES[source]);
    const { rows } = await this.read<Record<string, string>>(text, valuesOf(scope, dimension, plan));
    const found = new Map<string, Series<S>>();
    for (const row of rows) {
      const series = found.get(row['key'] ?? '') ?? new Map<number, Figures<S>>();
      found.set(row['key'] ?? '', series.set(Number(row['place']), figuresOf(source, row)));
    }
    return found;
  }

  /** The figures of each key of a dimension in one range, of the largest groups; the key is empty for none. */
  async groups<S extends Source>(
    source: S,
    scope: Scope,
    range: Range,
    dimension: string,
  ): Promise<Map<string, Figures<S>>> {
    const [first, ...others] = FIGURES[source];
    const { rows } = await this.read<Record<string, string>>(
      `SELECT g.* FROM (
         SELECT r.key, ${signedSums(FIGURES[source], 'b', 'r')} FROM ${BLOCKS}
         CROSS JOIN LATERAL (
           SELECT r.key, ${[first, ...others].map((figure) => `r.${figure}`).join(', ')}
           FROM analytics.${source}_rollups AS r WHERE ${OF_BLOCK} OFFSET 0) AS r
         GROUP BY r.key) AS g
       WHERE g.${first} > 0 ORDER BY g.${first} DESC, g.key LIMIT ${MAX_GROUPS}`,
      valuesOf(scope, dimension, planOfOne(range)),
    );
    return new Map(rows.map((row) => [row['key'] ?? '', figuresOf(source, row)]));
  }

  /** The latencies of SMS, by the index of the range. */
  async latencySeries(scope: Scope, plan: BlockPlan): Promise<Map<string, Histogram>> {
    const text = seriesOf('sms_latencies', 'bucket', ['messages']);
    return this.latencies(`SELECT place::text AS name, bucket, messages FROM (${text}) AS s`, [
      ...valuesOf(scope, 'total', plan),
    ]);
  }

  /** The latencies of SMS by key of a dimension, of the given keys. */
  async latencyGroups(
    scope: Scope,
    range: Range,
    dimension: string,
    keys: readonly string[],
  ): Promise<Map<string, Histogram>> {
    return this.latencies(
      `SELECT r.key AS name, r.bucket, sum(b.sign * r.messages)::bigint AS messages FROM ${BLOCKS}
       CROSS JOIN LATERAL (
         SELECT r.key, r.bucket, r.messages FROM analytics.sms_latencies AS r WHERE ${OF_BLOCK} OFFSET 0) AS r
       WHERE r.key = ANY ($8::text[]) GROUP BY r.key, r.bucket`,
      [...valuesOf(scope, dimension, planOfOne(range)), keys],
    );
  }

  /** Histograms by name. One JSON object for each is much faster to read than one row for each bucket. */
  private async latencies(text: string, values: unknown[]): Promise<Map<string, Histogram>> {
    const { rows } = await this.read<{ name: string; histogram: Record<string, number> }>(
      `SELECT h.name, json_object_agg(h.bucket, h.messages) AS histogram FROM (${text}) AS h GROUP BY h.name`,
      values,
    );
    return new Map(
      rows.map(({ name, histogram }) => [
        name,
        new Map(Object.entries(histogram).map(([bucket, messages]) => [Number(bucket), messages])),
      ]),
    );
  }

  /**
   * Compiling a query takes longer than running it. Plans must not depend on the size that a table had when it was analyzed.
   */
  private async read<Row extends object>(text: string, values: unknown[]): Promise<{ rows: Row[] }> {
    return inTransaction(
      this.pool,
      async (client) => {
        await client.query('SET LOCAL jit = off; SET LOCAL enable_seqscan = off');
        const { rows } = await client.query<Row>(text, values);
        return { rows };
      },
      { readOnly: true },
    );
  }
}

function figuresOf<S extends Source>(source: S, row: Record<string, string | null>): Figures<S> {
  return Object.fromEntries(FIGURES[source].map((figure) => [figure, Number(row[figure] ?? 0)])) as Figures<S>;
}

function valuesOf({ organizationId, workspaceId }: Scope, dimension: string, plan: readonly string[]): unknown[] {
  return [organizationId, workspaceId, dimension, ...plan];
}

/** Sums the blocks of each run by a column, then adds or subtracts them in the ranges to which they contribute. */
function seriesOf(table: string, by: 'total' | 'key' | 'bucket', figures: readonly string[]): string {
  const [column, found] = by === 'total' ? ['', ''] : [`, r.${by}`, `, f.${by}`];
  const columns = figures.map((figure) => `r.${figure}`).join(', ');
  const sums = figures.map((figure) => `sum(r.${figure})::bigint AS ${figure}`).join(', ');
  // An aggregate in the lateral query would begin anew for each run, which takes longer than reading its rows.
  return `WITH found AS MATERIALIZED (
      SELECT b.run, r.start, min(b.since) AS since, min(b.step) AS step${column}, ${sums} FROM ${RUNS}
      CROSS JOIN LATERAL (
        SELECT date_bin(b.step, r.at, b.since) AS start${column}, ${columns} FROM analytics.${table} AS r WHERE ${OF_BLOCK}
        OFFSET 0) AS r
      GROUP BY b.run, r.start${column})
    SELECT u.place + (extract(epoch FROM f.start - f.since) / extract(epoch FROM f.step))::integer AS place${found},
      ${signedSums(figures, 'u', 'f')}
    FROM found AS f JOIN ${USES} ON u.run = f.run GROUP BY 1${found}`;
}

function signedSums(figures: readonly string[], signed: string, alias: string): string {
  return figures.map((figure) => `sum(${signed}.sign * ${alias}.${figure})::bigint AS ${figure}`).join(', ');
}
