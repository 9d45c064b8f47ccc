import fc from 'fast-check';
import { PairPace } from './pair-pace';

describe('PairPace', () => {
  it('allows a burst, then one message per interval', () => {
    const pace = new PairPace(3, 1_000);
    const waits: number[] = [];
    for (let i = 0; i < 5; i++) {
      waits.push(pace.waitMs('+1', 0));
      pace.reserve('+1', 0);
    }
    expect(waits).toEqual([0, 0, 0, 1_000, 2_000]);
    expect(pace.waitMs('+2', 0)).toBe(0);
    expect(pace.waitMs('+1', 5_000)).toBe(0);
  });

  it('does not limit when the burst is 0', () => {
    const pace = new PairPace(0, 1_000);
    for (let i = 0; i < 100; i++) pace.reserve('+1', 0);
    expect(pace.waitMs('+1', 0)).toBe(0);
  });

  it('never allows more messages in any period than burst and interval permit', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(
        gaps,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 2_000 }),
        (steps, burst, interval) => {
          const pace = new PairPace(burst, interval);
          const sent: number[] = [];
          let now = 0;
          for (const step of steps) {
            now += step;
            if (pace.waitMs('+1', now) > 0) continue;
            pace.reserve('+1', now);
            sent.push(now);
          }
          sent.forEach((from, first) => {
            for (let last = first; last < sent.length; last++) {
              const allowed = burst + Math.floor(((sent[last] ?? 0) - from) / interval);
              expect(last - first + 1).toBeLessThanOrEqual(allowed);
            }
          });
        },
      ),
    );
  });
});
