export type DunningStep = { kind: 'reminder'; day: 0 | 3 | 5 | 7 } | { kind: 'lock'; day: 14 };

/** Dunning steps by day after the first failure, in order. */
export const DUNNING_STEPS: readonly DunningStep[] = [
  { kind: 'reminder', day: 0 },
  { kind: 'reminder', day: 3 },
  { kind: 'reminder', day: 5 },
  { kind: 'reminder', day: 7 },
  { kind: 'lock', day: 14 },
];

const LOCK_DAY = 14;

/**
 * Returns the next step after `count` completed steps with its time; null after the last step. A day has `daySeconds`
 * seconds.
 */
export function nextStep(
  firstFailureAt: Date,
  stepsTaken: number,
  daySeconds: number,
): { step: DunningStep; at: Date } | null {
  const step = DUNNING_STEPS[stepsTaken];
  return step ? { step, at: dayAfter(firstFailureAt, step.day, daySeconds) } : null;
}

/** Returns the time at which the workspace will be locked. */
export function lockTime(firstFailureAt: Date, daySeconds: number): Date {
  return dayAfter(firstFailureAt, LOCK_DAY, daySeconds);
}

function dayAfter(timestamp: Date, day: number, daySeconds: number): Date {
  return new Date(timestamp.getTime() + day * daySeconds * 1000);
}
