import { showMeasured, showSplit, type Measured } from '../measure';
import type { Options } from '../options';
import { appendRow } from '../results';

/** What a stored and acknowledged event must be worth, in those of a plain endpoint. */
const LEAST_RATIO = 1.5;

export interface PaymentsResults extends Record<'hook' | 'plain' | 'repeats', Measured> {
  settledPerSecond: number;
}

/** Answers what is broken, a ratio that is too small among it. */
export function reportPayments(
  { hook, plain, repeats, settledPerSecond }: PaymentsResults,
  broken: string[],
  options: Options,
): string[] {
  const ratio = hook.perSecond / plain.perSecond;
  for (const [name, measured] of Object.entries({
    '(a) stored and acknowledged': hook,
    '(b) plain endpoint': plain,
    '(c) repeats': repeats,
  })) {
    console.log(showMeasured(name, measured));
    console.log(`    CPU s/1000: ${showSplit(measured)}`);
  }
  console.log(`settled by one worker              ${settledPerSecond.toFixed(0).padStart(6)}/s`);
  console.log(`a/b ${ratio.toFixed(2)}   c/b ${(repeats.perSecond / plain.perSecond).toFixed(2)}`);
  appendRow('Payment events', options, [
    ...[hook, plain, repeats].map(({ perSecond }) => perSecond.toFixed(0)),
    ratio.toFixed(2),
    ...[hook, plain].map(({ p50Ms, p99Ms }) => `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`),
    ...[hook, plain].map(({ cpuPerThousand }) => cpuPerThousand.toFixed(2)),
    settledPerSecond.toFixed(0),
    broken.length === 0 ? 'hold' : 'BROKEN',
  ]);
  return ratio < LEAST_RATIO ? [...broken, `a/b is below ${LEAST_RATIO}`] : broken;
}
