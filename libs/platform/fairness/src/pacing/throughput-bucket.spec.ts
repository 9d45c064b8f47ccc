import fc from 'fast-check';
import { ThroughputBucket } from './throughput-bucket';

describe('the throughput bucket', () => {
  it('never waits when it is unlimited', () => {
    const bucket = new ThroughputBucket(null, 0);
    for (let count = 0; count < 1_000; count += 1) expect(bucket.reserve(0)).toBe(0);
  });

  it('returns the waiting time, and includes debt', () => {
    const bucket = new ThroughputBucket(10, 0);
    expect(bucket.reserve(0)).toBe(0);
    expect(bucket.waitMs(0)).toBeCloseTo(100);
    expect(bucket.reserve(0)).toBeCloseTo(100);
    expect(bucket.reserve(0)).toBeCloseTo(200);
    expect(bucket.waitMs(150)).toBeCloseTo(150);
  });

  it('accepts returned tokens', () => {
    const bucket = new ThroughputBucket(1, 0);
    bucket.reserve(0);
    bucket.refund();
    expect(bucket.waitMs(0)).toBe(0);
  });

  it('can change its rate', () => {
    const bucket = new ThroughputBucket(1, 0);
    bucket.reserve(0);
    bucket.setRate(10, 500);
    expect(bucket.waitMs(500)).toBeCloseTo(50);
    bucket.setRate(1, 60_000);
    bucket.reserve(60_000);
    expect(bucket.waitMs(60_000)).toBeCloseTo(1_000);
  });

  it('never exceeds the rate and its burst, for any sequence of calls', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000 }),
        fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 300 }),
        (perSecond, gaps) => {
          const bucket = new ThroughputBucket(perSecond, 0);
          let nowMs = 0;
          let passed = 0;
          for (const gap of gaps) {
            nowMs += gap;
            while (bucket.waitMs(nowMs) === 0) {
              bucket.reserve(nowMs);
              passed += 1;
            }
          }
          expect(passed).toBeLessThanOrEqual((nowMs / 1_000) * perSecond + Math.max(1, perSecond / 10) + 1e-6);
        },
      ),
    );
  });
});
