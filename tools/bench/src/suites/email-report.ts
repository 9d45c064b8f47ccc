import { showMeasured, showSplit, type Measured } from '../measure';
import type { Options } from '../options';
import { appendRow } from '../results';

/** What a send that is charged and kept must be worth, in those of a bare pool. */
const LEAST_RATIO = 0.6;

export interface EmailResults extends Record<'single' | 'bare', Measured> {
  /** Of a send to 1,000, until it is answered. */
  fanOutSeconds: number;
  notificationsPerSecond: number;
}

/** Answers what is broken, a ratio that is too small among it. */
export function reportEmail(
  { single, bare, fanOutSeconds, notificationsPerSecond }: EmailResults,
  broken: string[],
  options: Options,
): string[] {
  const ratio = single.perSecond / bare.perSecond;
  for (const [name, measured] of Object.entries({ '(a) single sends': single, '(b) bare nodemailer pool': bare })) {
    console.log(showMeasured(name, measured));
    console.log(`    CPU s/1000: ${showSplit(measured)}`);
  }
  console.log(`a send to 1,000 recipients         ${fanOutSeconds.toFixed(2).padStart(6)} s`);
  console.log(`notifications stored               ${notificationsPerSecond.toFixed(0).padStart(6)}/s`);
  console.log(`a/b ${ratio.toFixed(2)}`);
  appendRow('Email', options, [
    ...[single, bare].map(({ perSecond }) => perSecond.toFixed(0)),
    ratio.toFixed(2),
    ...[single, bare].map(({ p50Ms, p99Ms }) => `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`),
    ...[single, bare].map(({ cpuPerThousand }) => cpuPerThousand.toFixed(2)),
    fanOutSeconds.toFixed(2),
    notificationsPerSecond.toFixed(0),
    broken.length === 0 ? 'hold' : 'BROKEN',
  ]);
  return ratio < LEAST_RATIO ? [...broken, `a/b is below ${LEAST_RATIO}`] : broken;
}
