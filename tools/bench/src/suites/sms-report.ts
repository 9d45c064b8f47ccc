import { showMeasured, showSplit, type Measured } from '../measure';
import type { Options } from '../options';
import { appendRow } from '../results';

export interface SmsResults extends Record<'a' | 'b' | 'c' | 'd' | 'intake', Measured> {
  /** Messages a second, from the send to the stored receipt. */
  endToEnd: number;
}

export function reportSms({ a, b, c, d, intake, endToEnd }: SmsResults, broken: string[], options: Options): void {
  console.log(showMeasured('(a) floor, no database', a));
  console.log(showMeasured('(b) accept, one hot workspace', b));
  console.log(showMeasured('(c) accept, 1,000 workspaces', c));
  console.log(showMeasured('(d) one transaction per request', d));
  console.log(showMeasured('(e) accept while all runs', intake));
  console.log(`(e) end to end, receipt stored     ${endToEnd.toFixed(0).padStart(6)}/s`);
  console.log(`(e) CPU s/1000 while accepting: ${showSplit(intake)}`);
  const ratios = {
    'b/a': b.perSecond / a.perSecond,
    'b/d': b.perSecond / d.perSecond,
    'b/c': b.perSecond / c.perSecond,
  };
  const shown = Object.entries(ratios).map(([name, ratio]) => `${name} ${ratio.toFixed(2)}`);
  console.log(shown.join('   '));
  appendRow('Sends', options, [
    ...[a, b, c, d].map((m) => m.perSecond.toFixed(0)),
    endToEnd.toFixed(0),
    ...Object.values(ratios).map((ratio) => ratio.toFixed(2)),
    `${b.p50Ms.toFixed(1)} / ${b.p99Ms.toFixed(1)}`,
    intake.cpuPerThousand.toFixed(2),
    broken.length === 0 ? 'hold' : 'BROKEN',
  ]);
}
