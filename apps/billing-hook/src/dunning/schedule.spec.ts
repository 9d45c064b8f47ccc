import fc from 'fast-check';
import { DUNNING_STEPS, lockTime, nextStep } from './schedule';

const FIRST = new Date('2026-03-01T10:00:00Z');
const DAY = 86_400;

describe('the dunning schedule', () => {
  it('reminds on days 0, 3, 5 and 7 after the first failure, and locks on day 14', () => {
    const steps = [0, 1, 2, 3, 4].map((taken) => nextStep(FIRST, taken, DAY));
    expect(steps.map((next) => [next?.step.kind, next?.at.toISOString()])).toEqual([
      ['reminder', '2026-03-01T10:00:00.000Z'],
      ['reminder', '2026-03-04T10:00:00.000Z'],
      ['reminder', '2026-03-06T10:00:00.000Z'],
      ['reminder', '2026-03-08T10:00:00.000Z'],
      ['lock', '2026-03-15T10:00:00.000Z'],
    ]);
  });

  it('has no step after the lock', () => {
    expect(nextStep(FIRST, DUNNING_STEPS.length, DAY)).toBeNull();
  });

  it('has a lock time that is known in advance', () => {
    expect(lockTime(FIRST, DAY)).toEqual(nextStep(FIRST, 4, DAY)?.at);
  });

  it('uses the configured length of a day', () => {
    expect(nextStep(FIRST, 1, 1)?.at.toISOString()).toBe('2026-03-01T10:00:03.000Z');
    expect(nextStep(FIRST, 1, 0.1)?.at.toISOString()).toBe('2026-03-01T10:00:00.300Z');
  });

  it('never has a step before the previous step', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, max: new Date('2100-01-01') }), fc.nat(3), (first, taken) => {
        expect(nextStep(first, taken + 1, DAY)!.at.getTime()).toBeGreaterThan(
          nextStep(first, taken, DAY)!.at.getTime(),
        );
      }),
    );
  });
});
