import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { blocksOf } from './blocks';
import type { Histogram } from './latency';
import { FIGURES, type Figures, type Source } from './sources';

export interface Range {
  since: Date;
  before: Date;
}

/** A part of the rollups: of one workspace, or of all. */
export interface Scope {
  organizationId: string;
  workspaceId: string | null;
}

/** Figures by place in the list of ranges. Ranges without figures are absent. */
export type Series<S extends Source> = Map<number, Figures<S>>;

const MAX_GROUPS = 1_000;
/** The blocks of each range. The lateral query of a block reads one range of the primary key. */
const BLOCKS = `unnest($2::integer[], $3::analytics.grain[], $4::timestamptz[], $5::timestamptz[]) AS b (place, grain, since, before)`;
const OF_BLOCK = `r.organization_id = $1 AND r.grain = b.grain AND r.at >= b.since AND r.at < b.before
       AND ($6::uuid IS NULL OR r.workspace_id = $6) AND r.dimension = $7`;

/** Reads the rollups. */
@Injectable()
export class RollupsRepository {
  constructor(private readonly pool: Pool) {}

  /** The figures of each range. */
  async series<S extends Source>(source: S, scope: Scope, ranges: readonly Range[]): Promise<Series<S>> {
    const { rows } = await this.read<Record<string, string>>(
      `SELECT b.place AS place, ${sums(source, 'p')} FROM ${BLOCKS}
       CROSS JOIN LATERAL (SELECT ${sums(source, 'r')} FROM analytics.${source}_rollups AS r WHERE ${OF_BLOCK}) AS p
       GROUP BY b.place`,
      valuesOf(scope, ranges, 'total'),
    );
    return new Map(rows.map((row) => [Number(row['place']), figuresOf(source, row)]));
  }

  /** The figures of each range by key, for a dimension that has few keys. */
  async seriesByKey<S extends Source>(
    source: S,
    scope: Scope,
    ranges: readonly Range[],
    dimension: string,
  ): Promise<Map<string, Series<S>>> {
    const { rows } = await this.read<Record<string, string>>(
      `SELECT b.place AS place, p.key, ${sums(source, 'p')} FROM ${BLOCKS}
       CROSS JOIN LATERAL (
         SELECT r.key, ${sums(source, 'r')} FROM analytics.${source}_rollups AS r WHERE ${OF_BLOCK} GROUP BY r.key) AS p
       GROUP BY b.place, p.key`,
      valuesOf(scope, ranges, dimension),
    );
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
    const [first] = FIGURES[source];
    const { rows } = await this.read<Record<string, string>>(
      `SELECT p.key, ${sums(source, 'p')} FROM ${BLOCKS}
       CROSS JOIN LATERAL (
         SELECT r.key, ${sums(source, 'r')} FROM analytics.${source}_rollups AS r WHERE ${OF_BLOCK} GROUP BY r.key) AS p
       GROUP BY p.key HAVING sum(p.${first}) > 0 ORDER BY sum(p.${first}) DESC, p.key LIMIT ${MAX_GROUPS}`,
      valuesOf(scope, [range], dimension),
    );
    return new Map(rows.map((row) => [row['key'] ?? '', figuresOf(source, row)]));
  }

  /** The latencies of SMS, by the index of the range. */
  async latencySeries(scope: Scope, ranges: readonly Range[]): Promise<Map<string, Histogram>> {
    return this.latencies('b.place', scope, ranges, 'total');
  }

  /** The latencies of SMS by key of a dimension, of the given keys. */
  async latencyGroups(
    scope: Scope,
    range: Range,
    dimension: string,
    keys: readonly string[],
  ): Promise<Map<string, Histogram>> {
    return this.latencies('p.key', scope, [range], dimension, keys);
  }

  /**
   * Compiling a query takes longer than running it. Plans must not depend on the size that a table had when it was analyzed.
   */
  private async read<Row extends object>(text: string, values: unknown[]): Promise<{ rows: Row[] }> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN READ ONLY; SET LOCAL jit = off; SET LOCAL enable_seqscan = off');
      const { rows } = await client.query<Row>(text, values);
      await client.query('COMMIT');
      return { rows };
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  }

  private async latencies(
    group: 'b.place' | 'p.key',
    scope: Scope,
    ranges: readonly Range[],
    dimension: string,
    keys: readonly string[] | null = null,
  ): Promise<Map<string, Histogram>> {
    const { rows } = await this.read<{ name: string; bucket: number; messages: string }>(
      `SELECT ${group}::text AS name, p.bucket, sum(p.messages) AS messages FROM ${BLOCKS}
       CROSS JOIN LATERAL (
         SELECT r.key, r.bucket, sum(r.messages) AS messages FROM analytics.sms_latencies AS r
         WHERE ${OF_BLOCK} AND ($8::text[] IS NULL OR r.key = ANY ($8)) GROUP BY r.key, r.bucket) AS p
       GROUP BY ${group}, p.bucket`,
      [...valuesOf(scope, ranges, dimension), keys],
    );
    const found = new Map<string, Histogram>();
    for (const { name, bucket, messages } of rows) {
      const histogram = found.get(name) ?? new Map<number, number>();
      found.set(name, histogram.set(bucket, Number(messages)));
    }
    return found;
  }
}

function sums(source: Source, alias: string): string {
  return FIGURES[source].map((figure) => `sum(${alias}.${figure})::bigint AS ${figure}`).join(', ');
}

function figuresOf<S extends Source>(source: S, row: Record<string, string | null>): Figures<S> {
  return Object.fromEntries(FIGURES[source].map((figure) => [figure, Number(row[figure] ?? 0)])) as Figures<S>;
}

function valuesOf({ organizationId, workspaceId }: Scope, ranges: readonly Range[], dimension: string): unknown[] {
  const blocks = ranges.flatMap(({ since, before }, place) =>
    blocksOf(since, before).map((block) => ({ place, ...block })),
  );
  return [
    organizationId,
    blocks.map(({ place }) => place),
    blocks.map(({ grain }) => grain),
    blocks.map(({ since }) => since),
    blocks.map(({ before }) => before),
    workspaceId,
    dimension,
  ];
}
