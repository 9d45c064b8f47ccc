import * as fc from 'fast-check';
import { blocksOf } from './blocks';

const QUARTER_MS = 900_000;

describe('blocksOf', () => {
  it('uses months in the middle of a range, and smaller units at its ends', () => {
    const blocks = blocksOf(new Date('2026-01-30T22:45:00Z'), new Date('2026-03-02T01:15:00Z'));
    expect(blocks.map(({ grain, since, before }) => [grain, since.toISOString(), before.toISOString()])).toEqual([
      ['quarter', '2026-01-30T22:45:00.000Z', '2026-01-30T23:00:00.000Z'],
      ['hour', '2026-01-30T23:00:00.000Z', '2026-01-31T00:00:00.000Z'],
      ['day', '2026-01-31T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
      ['month', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
      ['day', '2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
      ['hour', '2026-03-02T00:00:00.000Z', '2026-03-02T01:00:00.000Z'],
      ['quarter', '2026-03-02T01:00:00.000Z', '2026-03-02T01:15:00.000Z'],
    ]);
  });

  it('covers any range without gaps or overlaps', () => {
    const quarters = fc.integer({ min: 1_900_000, max: 2_100_000 });
    fc.assert(
      fc.property(quarters, fc.integer({ min: 1, max: 100_000 }), (first, count) => {
        const [since, before] = [new Date(first * QUARTER_MS), new Date((first + count) * QUARTER_MS)];
        let end = since.getTime();
        for (const block of blocksOf(since, before)) {
          expect(block.since.getTime()).toBe(end);
          expect(block.before > block.since).toBe(true);
          end = block.before.getTime();
        }
        expect(end).toBe(before.getTime());
      }),
    );
  });
});
