import { formatMeasurement, formatSplit, latencyCell, type Measurement } from '../../measure';
import type { Options } from '../../options';
import { appendRow } from '../../results';

export interface SmsResults extends Record<'a' | 'b' | 'c' | 'd' | 'intake', Measurement> {
  /** Messages per second, from the send to the stored receipt. */
  endToEnd: number;
}

export function reportSms({ a, b, c, d, intake, endToEnd }: SmsResults, violations: string[], options: Options): void {
  console.log(formatMeasurement('(a) floor, no database', a));
  console.log(formatMeasurement('(b) accept, one hot workspace', b));
  console.log(formatMeasurement('(c) accept, 1,000 workspaces', c));
  console.log(formatMeasurement('(d) one transaction per request', d));
  console.log(formatMeasurement('(e) accept with the worker running', intake));
  console.log(`(e) end to end, receipt stored     ${endToEnd.toFixed(0).padStart(6)}/s`);
  console.log(`(e) CPU s/1000 while accepting: ${formatSplit(intake)}`);
  const ratios = {
    'b/a': b.perSecond / a.perSecond,
    'b/d': b.perSecond / d.perSecond,
    'b/c': b.perSecond / c.perSecond,
  };
  console.log(
    Object.entries(ratios)
      .map(([name, ratio]) => `${name} ${ratio.toFixed(2)}`)
      .join('   '),
  );
  appendRow('Sends', options, [
    ...[a, b, c, d].map((m) => m.perSecond.toFixed(0)),
    endToEnd.toFixed(0),
    ...Object.values(ratios).map((ratio) => ratio.toFixed(2)),
    latencyCell(b),
    intake.cpuPerThousand.toFixed(2),
    violations.length === 0 ? 'hold' : 'BROKEN',
  ]);
}
