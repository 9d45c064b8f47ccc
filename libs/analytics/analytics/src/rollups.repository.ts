import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { blocksOf, type Block } from './blocks';
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
/** The blocks that ranges consist of, each once, and what they are part of: a block can be added to a day and subtracted from the next. */
const BLOCKS = `unnest($2::integer[], $3::analytics.grain[], $4::timestamptz[], $5::timestamptz[]) AS b (block, grain, since, before)`;
const ONE_RANGE = `unnest($2::integer[], $3::analytics.grain[], $4::timestamptz[], $5::timestamptz[]) AS b (sign, grain, since, before)`;
const PARTS = `unnest($8::integer[], $9::integer[], $10::integer[]) AS part (place, block, sign)`;
/** The lateral query of a block reads one range of the primary key. */
const OF_BLOCK = `r.organization_id = $1 AND r.grain = b.grain AND r.at >= b.since AND r.at < b.before
       AND ($6::uuid IS NULL OR r.workspace_id = $6) AND r.dimension = $7`;

/** Reads the rollups. */
@Injectable()
export class RollupsRepository {
  constructor(private readonly pool: Pool) {}

  /** The figures of each range. */
  async series<S extends Source>(source: S, scope: Scope, ranges: readonly Range[]): Promise<Series<S>> {
    const { rows } = await this.read<Record<string, string>>(
      `WITH found AS MATERIALIZED (
         SELECT b.block, f.* FROM ${BLOCKS}
         CROSS JOIN LATERAL (SELECT ${sums(source)} FROM analytics.${source}_rollups AS r WHERE ${OF_BLOCK}) AS f)
       SELECT part.place, ${signedSums(source, 'part', 'f')} FROM found AS f JOIN ${PARTS} ON part.block = f.block
       GROUP BY part.place`,
      valuesOf(scope, ranges, 'total'),
    );
    return new Map(rows.map((row) => [Number(row['place']), figuresOf(source, row)]));
  }

  /** The figures of each range, by the keys of a dimension with few of them. */
  async seriesByKey<S extends Source>(
    source: S,
    scope: Scope,
    ranges: readonly Range[],
    dimension: string,
  ): Promise<Map<string, Series<S>>> {
    const { rows } = await this.read<Record<string, string>>(
      `WITH found AS MATERIALIZED (
         SELECT b.block, f.* FROM ${BLOCKS}
         CROSS JOIN LATERAL (
           SELECT r.key, ${sums(source)} FROM analytics.${source}_rollups AS r WHERE ${OF_BLOCK} GROUP BY r.key) AS f)
       SELECT part.place, f.key, ${signedSums(source, 'part', 'f')} FROM found AS f JOIN ${PARTS} ON part.block = f.block
       GROUP BY part.place, f.key`,
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
    const [first, ...others] = FIGURES[source];
    const { rows } = await this.read<Record<string, string>>(
      `SELECT g.* FROM (
         SELECT r.key, ${signedSums(source, 'b', 'r')} FROM ${ONE_RANGE}
         CROSS JOIN LATERAL (
           SELECT r.key, ${[first, ...others].map((figure) => `r.${figure}`).join(', ')}
           FROM analytics.${source}_rollups AS r WHERE ${OF_BLOCK} OFFSET 0) AS r
         GROUP BY r.key) AS g
       WHERE g.${first} > 0 ORDER BY g.${first} DESC, g.key LIMIT ${MAX_GROUPS}`,
      rangeValuesOf(scope, range, dimension),
    );
    return new Map(rows.map((row) => [row['key'] ?? '', figuresOf(source, row)]));
  }

  /** The latencies of SMS by place in the list of ranges. */
  async latencySeries(scope: Scope, ranges: readonly Range[]): Promise<Map<string, Histogram>> {
    const { rows } = await this.read<LatencyRow>(
      `WITH found AS MATERIALIZED (
         SELECT b.block, f.* FROM ${BLOCKS}
         CROSS JOIN LATERAL (
           SELECT r.bucket, sum(r.messages) AS messages FROM analytics.sms_latencies AS r
           WHERE ${OF_BLOCK} GROUP BY r.bucket) AS f)
       SELECT part.place AS name, f.bucket, sum(part.sign * f.messages) AS messages
       FROM found AS f JOIN ${PARTS} ON part.block = f.block GROUP BY part.place, f.bucket`,
      valuesOf(scope, ranges, 'total'),
    );
    return histogramsOf(rows);
  }

  /** The latencies of SMS by key of a dimension, of the given keys. */
  async latencyGroups(
    scope: Scope,
    range: Range,
    dimension: string,
    keys: readonly string[],
  ): Promise<Map<string, Histogram>> {
    const { rows } = await this.read<LatencyRow>(
      `SELECT r.key AS name, r.bucket, sum(b.sign * r.messages) AS messages FROM ${ONE_RANGE}
       CROSS JOIN LATERAL (
         SELECT r.key, r.bucket, r.messages FROM analytics.sms_latencies AS r WHERE ${OF_BLOCK} OFFSET 0) AS r
       WHERE r.key = ANY ($8::text[]) GROUP BY r.key, r.bucket`,
      [...rangeValuesOf(scope, range, dimension), keys],
    );
    return histogramsOf(rows);
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
}

interface LatencyRow {
  name: string | number;
  bucket: number;
  messages: string;
}

function histogramsOf(rows: readonly LatencyRow[]): Map<string, Histogram> {
  const found = new Map<string, Histogram>();
  for (const { name, bucket, messages } of rows) {
    const histogram = found.get(String(name)) ?? new Map<number, number>();
    found.set(String(name), histogram.set(bucket, Number(messages)));
  }
  return found;
}

function sums(source: Source): string {
  return FIGURES[source].map((figure) => `sum(r.${figure})::bigint AS ${figure}`).join(', ');
}

function signedSums(source: Source, signed: string, alias: string): string {
  return FIGURES[source].map((figure) => `sum(${signed}.sign * ${alias}.${figure})::bigint AS ${figure}`).join(', ');
}

function figuresOf<S extends Source>(source: S, row: Record<string, string | null>): Figures<S> {
  return Object.fromEntries(FIGURES[source].map((figure) => [figure, Number(row[figure] ?? 0)])) as Figures<S>;
}

/** The parameters of BLOCKS and PARTS. */
function valuesOf({ organizationId, workspaceId }: Scope, ranges: readonly Range[], dimension: string): unknown[] {
  const blocks = new Map<string, Block & { index: number }>();
  const parts = ranges.flatMap(({ since, before }, place) =>
    blocksOf(since, before).map((block) => {
      const name = `${block.grain} ${block.since.getTime()} ${block.before.getTime()}`;
      const known = blocks.get(name) ?? { ...block, index: blocks.size };
      blocks.set(name, known);
      return { place, block: known.index, sign: block.sign };
    }),
  );
  const all = [...blocks.values()];
  return [
    organizationId,
    all.map(({ index }) => index),
    ...boundsOf(all),
    workspaceId,
    dimension,
    parts.map(({ place }) => place),
    parts.map(({ block }) => block),
    parts.map(({ sign }) => sign),
  ];
}

/** The parameters of ONE_RANGE. */
function rangeValuesOf({ organizationId, workspaceId }: Scope, range: Range, dimension: string): unknown[] {
  const blocks = blocksOf(range.since, range.before);
  return [organizationId, blocks.map(({ sign }) => sign), ...boundsOf(blocks), workspaceId, dimension];
}

function boundsOf(blocks: readonly Block[]): unknown[] {
  return [blocks.map(({ grain }) => grain), blocks.map(({ since }) => since), blocks.map(({ before }) => before)];
}
