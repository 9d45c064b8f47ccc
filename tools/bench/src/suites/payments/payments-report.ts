import { latencyCell, printMeasurements, type Measurement } from '../../measure';
import type { Options } from '../../options';
import { appendRow } from '../../results';

/** The minimum rate of stored and acknowledged events, relative to a plain endpoint. */
const MIN_RATIO = 1.5;

export interface PaymentsResults extends Record<'hook' | 'plain' | 'repeats', Measurement> {
  settledPerSecond: number;
}

/** Resolves with the violations and the missed targets. */
export function reportPayments(results: PaymentsResults, violations: string[], options: Options): string[] {
  const { hook, plain, repeats, settledPerSecond } = results;
  const ratio = hook.perSecond / plain.perSecond;
  const titles = { hook: '(a) stored and acknowledged', plain: '(b) plain endpoint', repeats: '(c) repeats' };
  printMeasurements(titles, results);
  console.log(`settled by one worker              ${settledPerSecond.toFixed(0).padStart(6)}/s`);
  console.log(`a/b ${ratio.toFixed(2)}   c/b ${(repeats.perSecond / plain.perSecond).toFixed(2)}`);
  appendRow('Payment events', options, [
    ...[hook, plain, repeats].map(({ perSecond }) => perSecond.toFixed(0)),
    ratio.toFixed(2),
    ...[hook, plain].map((measurement) => latencyCell(measurement)),
    ...[hook, plain].map(({ cpuPerThousand }) => cpuPerThousand.toFixed(2)),
    settledPerSecond.toFixed(0),
    violations.length === 0 ? 'hold' : 'BROKEN',
  ]);
  return ratio < MIN_RATIO ? [...violations, `a/b is below ${MIN_RATIO}`] : violations;
}
