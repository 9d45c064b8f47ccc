const MINUTE_MS = 60_000;

export const GRAINS = ['quarter', 'hour', 'day', 'month'] as const;
export type Grain = (typeof GRAINS)[number];

/** A range of rollups of one grain: `since` inclusive, `before` exclusive. */
export interface Block {
  grain: Grain;
  since: Date;
  before: Date;
}

/**
 * The fewest rollups that add up to a range: months in its middle, then days, hours and quarter hours at its ends. The ends
 * of the range must be full quarter hours.
 */
export function blocksOf(since: Date, before: Date, grain: Grain = 'month'): Block[] {
  if (since >= before) return [];
  if (grain === 'quarter') return [{ grain, since, before }];
  const smaller = GRAINS[GRAINS.indexOf(grain) - 1] ?? 'quarter';
  const [first, last] = [ceil(grain, since), floor(grain, before)];
  if (first >= last) return blocksOf(since, before, smaller);
  return [
    ...blocksOf(since, first, smaller),
    { grain, since: first, before: last },
    ...blocksOf(last, before, smaller),
  ];
}

/** The start of the quarter hour, hour, day or month in UTC. */
export function floor(grain: Grain, at: Date): Date {
  if (grain === 'month') return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
  const size = { quarter: 15, hour: 60, day: 24 * 60 }[grain] * MINUTE_MS;
  return new Date(Math.floor(at.getTime() / size) * size);
}

/** The time itself if a quarter hour, hour, day or month starts then; otherwise the next start. */
export function ceil(grain: Grain, at: Date): Date {
  const start = floor(grain, at);
  if (start.getTime() === at.getTime()) return start;
  if (grain === 'month') return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
  return new Date(start.getTime() + { quarter: 15, hour: 60, day: 24 * 60 }[grain] * MINUTE_MS);
}
