import * as fc from 'fast-check';
import { blocksOf, floor, GRAINS, rollupsOf } from './blocks';

const QUARTER_MS = 900_000;
const DAY_MS = 96 * QUARTER_MS;

describe('blocksOf', () => {
  it('adds shorter rollups to longer ones, or subtracts them, at the ends of a range', () => {
    const blocks = blocksOf(new Date('2026-01-16T22:45:00Z'), new Date('2026-05-23T22:15:00Z'));
    expect(
      blocks.map(({ grain, since, before, sign }) => [
        sign,
        grain,
        new Date(since).toISOString(),
        new Date(before).toISOString(),
      ]),
    ).toEqual([
      [1, 'quarter', '2026-01-16T22:45:00.000Z', '2026-01-16T23:00:00.000Z'],
      [1, 'hour', '2026-01-16T23:00:00.000Z', '2026-01-17T00:00:00.000Z'],
      [1, 'day', '2026-01-17T00:00:00.000Z', '2026-01-19T00:00:00.000Z'],
      [1, 'week', '2026-01-19T00:00:00.000Z', '2026-01-26T00:00:00.000Z'],
      [1, 'eight_weeks', '2026-01-26T00:00:00.000Z', '2026-05-18T00:00:00.000Z'],
      [1, 'week', '2026-05-18T00:00:00.000Z', '2026-05-25T00:00:00.000Z'],
      [-1, 'day', '2026-05-24T00:00:00.000Z', '2026-05-25T00:00:00.000Z'],
      [-1, 'hour', '2026-05-23T22:00:00.000Z', '2026-05-24T00:00:00.000Z'],
      [1, 'quarter', '2026-05-23T22:00:00.000Z', '2026-05-23T22:15:00.000Z'],
    ]);
  });

  it('covers every quarter hour of any range once and nothing else', () => {
    const quarters = fc.integer({ min: -100_000, max: 2_100_000 });
    fc.assert(
      fc.property(quarters, fc.integer({ min: 0, max: 20_000 }), (first, count) => {
        const since = new Date(first * QUARTER_MS);
        const before = new Date((first + count) * QUARTER_MS);
        const covered = new Map<number, number>();
        for (const { grain, sign, ...block } of blocksOf(since, before)) {
          for (const end of [block.since, block.before]) expect(floor(grain, new Date(end)).getTime()).toBe(end);
          for (let at = block.since; at < block.before; at += QUARTER_MS) {
            covered.set(at, (covered.get(at) ?? 0) + sign);
          }
        }
        const counted = [...covered].filter(([, times]) => times !== 0).sort(([one], [other]) => one - other);
        expect(counted).toEqual(Array.from({ length: count }, (_, index) => [since.getTime() + index * QUARTER_MS, 1]));
      }),
      { numRuns: 50 },
    );
  });

  it('takes at most 50 rollups of a key for a range of up to three years', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_900_000, max: 2_100_000 }),
        fc.integer({ min: 1, max: 100_000 }),
        (first, count) => {
          const blocks = blocksOf(new Date(first * QUARTER_MS), new Date((first + count) * QUARTER_MS));
          expect(rollupsOf(blocks)).toBeLessThanOrEqual(2 * (2 + 12 + 3 + 4) + Math.ceil(count / (56 * 96)) + 1);
          expect(GRAINS.every((grain) => blocks.filter((block) => block.grain === grain).length <= 2)).toBe(true);
        },
      ),
    );
  });

  it('shares the parts of neighboring days of a zone', () => {
    const start = Date.UTC(2026, 7, 1, 18, 30);
    const days = Array.from({ length: 30 }, (_, day) =>
      blocksOf(new Date(start + day * DAY_MS), new Date(start + (day + 1) * DAY_MS)),
    );
    const unique = new Map(days.flat().map((block) => [JSON.stringify({ ...block, sign: 1 }), block]));
    expect(rollupsOf([...unique.values()]) / days.length).toBeLessThan(9);
  });
});
