import { latencyCell, printMeasurements, type Measurement } from '../../measure';
import type { Options } from '../../options';
import { appendRow } from '../../results';

/** The minimum rate of sends that are charged and stored, relative to a plain nodemailer pool. */
const MIN_RATIO = 0.6;

export interface EmailResults extends Record<'single' | 'plain', Measurement> {
  /** The time until a send to 1,000 recipients is answered. */
  fanOutSeconds: number;
  notificationsPerSecond: number;
}

/** Resolves with the violations and the missed targets. */
export function reportEmail(results: EmailResults, violations: string[], options: Options): string[] {
  const { single, plain, fanOutSeconds, notificationsPerSecond } = results;
  const ratio = single.perSecond / plain.perSecond;
  printMeasurements({ single: '(a) single sends', plain: '(b) plain nodemailer pool' }, results);
  console.log(`a send to 1,000 recipients         ${fanOutSeconds.toFixed(2).padStart(6)} s`);
  console.log(`notifications stored               ${notificationsPerSecond.toFixed(0).padStart(6)}/s`);
  console.log(`a/b ${ratio.toFixed(2)}`);
  appendRow('Email', options, [
    ...[single, plain].map(({ perSecond }) => perSecond.toFixed(0)),
    ratio.toFixed(2),
    ...[single, plain].map((measurement) => latencyCell(measurement)),
    ...[single, plain].map(({ cpuPerThousand }) => cpuPerThousand.toFixed(2)),
    fanOutSeconds.toFixed(2),
    notificationsPerSecond.toFixed(0),
    violations.length === 0 ? 'hold' : 'BROKEN',
  ]);
  return ratio < MIN_RATIO ? [...violations, `a/b is below ${MIN_RATIO}`] : violations;
}
