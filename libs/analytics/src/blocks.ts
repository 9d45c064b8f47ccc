const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** A Monday, on which the longer grains start. */
const ORIGIN = Date.UTC(2000, 0, 3);

export const GRAINS = ['quarter', 'hour', 'day', 'week', 'eight_weeks'] as const;
export type Grain = (typeof GRAINS)[number];

/** Each a multiple of the one before. `analytics.start_of` has the same. */
const SIZES: Readonly<Record<Grain, number>> = {
  quarter: HOUR_MS / 4,
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  eight_weeks: 56 * DAY_MS,
};

/** A range of rollups of one grain: `since` inclusive, `before` exclusive, in ms. */
export interface Block {
  grain: Grain;
  since: number;
  before: number;
  /** -1: subtracted. A day without its last hour is one day and one hour instead of 23 hours. */
  sign: 1 | -1;
}

/**
 * Few rollups that add up to a range: those of long grains for its middle, and those of shorter grains, added or subtracted,
 * for its ends. The ends of the range must be full quarter hours.
 */
export function blocksOf(since: Date, before: Date): Block[] {
  return partsOf(0, since.getTime(), before.getTime());
}

/** The ends are times in ms, and starts of the grain. */
function partsOf(level: number, since: number, before: number): Block[] {
  const grain = GRAINS[level];
  const longer = GRAINS[level + 1];
  if (grain === undefined) return [];
  const whole = between(grain, since, before);
  if (longer === undefined) return whole;
  const first = nearest(longer, since);
  const last = nearest(longer, before);
  const parts = [...between(grain, since, first), ...partsOf(level + 1, first, last), ...between(grain, last, before)];
  return rollupsOf(parts) < rollupsOf(whole) ? parts : whole;
}

/** From one time to the other, subtracted if the other is earlier. */
function between(grain: Grain, from: number, to: number): Block[] {
  if (from === to) return [];
  return from < to ? [{ grain, since: from, before: to, sign: 1 }] : [{ grain, since: to, before: from, sign: -1 }];
}

/** How many rollups of one key the blocks contain. */
export function rollupsOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { grain, since, before }) => sum + (before - since) / SIZES[grain], 0);
}

function nearest(grain: Grain, at: number): number {
  return ORIGIN + Math.round((at - ORIGIN) / SIZES[grain]) * SIZES[grain];
}

/** The start of the quarter hour, hour, day, week or eight weeks. */
export function floor(grain: Grain, at: Date): Date {
  return new Date(ORIGIN + Math.floor((at.getTime() - ORIGIN) / SIZES[grain]) * SIZES[grain]);
}

/** The time itself if a rollup of the grain starts then; otherwise the next start. */
export function ceil(grain: Grain, at: Date): Date {
  return new Date(ORIGIN + Math.ceil((at.getTime() - ORIGIN) / SIZES[grain]) * SIZES[grain]);
}
