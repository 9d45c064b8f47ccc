import { nextAttemptAt } from './schedule';

const START = new Date('2026-11-20T10:00:00Z');
const HOUR = 3_600_000;

describe('the schedule of attempts', () => {
  it('measures each delay from the previous attempt, and ends 24 hours after the first', () => {
    const delays = [];
    let failedAt = START;
    for (let tried = 1; ; tried++) {
      const next = nextAttemptAt({ tried, firstTriedAt: START, failedAt }, () => 0.5);
      if (!next) break;
      delays.push((next.getTime() - failedAt.getTime()) / 1000);
      failedAt = next;
    }
    expect(delays.slice(0, 9)).toEqual([5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800]);
    expect(delays).toHaveLength(10);
    expect(failedAt.getTime() - START.getTime()).toBe(24 * HOUR);
  });

  it('has a jitter of 20 %', () => {
    const wait = (random: number) =>
      nextAttemptAt({ tried: 2, firstTriedAt: START, failedAt: START }, () => random)!.getTime() - START.getTime();
    expect([wait(0), wait(1)]).toEqual([24_000, 36_000]);
  });

  it('waits at least for the time of Retry-After, up to one hour', () => {
    const wait = (retryAfterMs: number) =>
      nextAttemptAt({ tried: 1, firstTriedAt: START, failedAt: START, retryAfterMs }, () => 0.5)!.getTime() -
      START.getTime();
    expect([wait(1_000), wait(600_000), wait(10 * HOUR)]).toEqual([5_000, 600_000, HOUR]);
  });
});
