import { blocksOf, type Block, type Grain } from './blocks';

export interface Range {
  since: Date;
  before: Date;
}

/**
 * A range is covered by blocks: rollups of one grain. A run is a sequence of adjacent blocks of equal length, read in one scan.
 * Times are in ms.
 */
interface Run {
  grain: Grain;
  since: number;
  before: number;
  stepMs: number;
  /** The ranges to which the first block contributes; each following block contributes to the following ranges. */
  uses: { place: number; sign: number }[];
}

/** Longer than any range. */
const NO_STEP = '36500 days';

/** The array literals of a query for the figures of several ranges. */
export type BlockPlan = readonly string[];

/**
 * Returns the rollups from which a query computes the figures of several ranges, as array literals for its parameters:
 * - the runs: number, grain, since, before, step
 * - the uses of the runs: index of the range, number of the run, and sign (1 adds the run, -1 subtracts it)
 *
 * Each block is read only once, even if several ranges use it: some ranges add its figures, others subtract them.
 */
export function blockPlanOf(ranges: readonly Range[]): BlockPlan {
  const runs = mergedOf(uniqueOf(ranges));
  const uses = runs.flatMap((run, index) => run.uses.map((use) => ({ ...use, index })));
  return [
    ...runsOf(runs),
    arrayOf(uses.map(({ place }) => place)),
    arrayOf(uses.map(({ index }) => index)),
    arrayOf(uses.map(({ sign }) => sign)),
  ];
}

/** The rollups that add up to one range, as parameters: sign, grain, since, before. */
export function planOfOne({ since, before }: Range): readonly string[] {
  const blocks = blocksOf(since, before);
  return [arrayOf(blocks.map(({ sign }) => sign)), ...boundsOf(blocks)];
}

function uniqueOf(ranges: readonly Range[]): Run[] {
  const found = new Map<string, Run>();
  for (const [place, { since, before }] of ranges.entries()) {
    for (const { sign, ...block } of blocksOf(since, before)) {
      const name = `${block.grain} ${block.since} ${block.before}`;
      const run = found.get(name) ?? { ...block, stepMs: block.before - block.since, uses: [] };
      run.uses.push({ place, sign });
      found.set(name, run);
    }
  }
  return [...found.values()];
}

function mergedOf(blocks: readonly Run[]): Run[] {
  const last = new Map<Grain, Run>();
  return blocks.filter((block) => {
    const run = last.get(block.grain);
    if (run && continues(run, block)) {
      run.before = block.before;
      return false;
    }
    last.set(block.grain, block);
    return true;
  });
}

function continues(run: Run, block: Run): boolean {
  const steps = (run.before - run.since) / run.stepMs;
  return (
    run.before === block.since &&
    run.stepMs === block.stepMs &&
    run.uses.length === block.uses.length &&
    run.uses.every(({ place, sign }, index) => {
      const use = block.uses[index];
      return use?.place === place + steps && use.sign === sign;
    })
  );
}

function runsOf(runs: readonly Run[]): string[] {
  return [
    arrayOf(runs.map((_, index) => index)),
    ...boundsOf(runs),
    arrayOf(runs.map(({ since, before, stepMs }) => (before - since === stepMs ? NO_STEP : `${stepMs / 1_000} s`))),
  ];
}

function boundsOf(blocks: readonly Pick<Block, 'grain' | 'since' | 'before'>[]): string[] {
  return [
    arrayOf(blocks.map(({ grain }) => grain)),
    arrayOf(blocks.map(({ since }) => new Date(since).toISOString())),
    arrayOf(blocks.map(({ before }) => new Date(before).toISOString())),
  ];
}

/** None of the values needs quotes. */
function arrayOf(values: readonly (string | number)[]): string {
  return `{${values.join()}}`;
}
