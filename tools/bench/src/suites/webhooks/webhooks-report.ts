import { medianBy } from '../../latencies';
import type { Options } from '../../options';
import { appendRow } from '../../results';

/** Deliveries that are made and stored. */
export interface Drained {
  perSecond: number;
  /** CPU seconds per 1,000 deliveries, of the worker and of PostgreSQL. */
  workerCpu: number;
  postgresCpu: number;
}

export type WebhookRound = Record<'ours' | 'hanging' | 'boss' | 'graphile', Drained>;

const TITLES: Record<keyof WebhookRound, string> = {
  ours: '(a) webhooks of account-api',
  boss: '(b) pg-boss',
  graphile: '(c) graphile-worker',
  hanging: '(d) as (a), with an endpoint that hangs',
};
const TARGETS = { boss: 1.5, graphile: 1.5, hanging: 0.95, perSecond: 1_000 };

/** Prints the results and adds them to RESULTS.md. Returns the problems and the missed targets. */
export function reportWebhooks(rounds: WebhookRound[], problems: string[], options: Options): string[] {
  const median = (name: keyof WebhookRound): Drained =>
    medianBy(
      rounds.map((round) => round[name]),
      ({ perSecond }) => perSecond,
    );
  for (const name of Object.keys(TITLES) as (keyof WebhookRound)[]) {
    const { perSecond, workerCpu, postgresCpu } = median(name);
    console.log(
      `${TITLES[name].padEnd(42)} ${perSecond.toFixed(0).padStart(5)}/s   CPU s/1000: worker ${workerCpu.toFixed(3)}  postgres ${postgresCpu.toFixed(3)}`,
    );
  }
  const ratio = (of: (round: WebhookRound) => number): number => of(medianBy(rounds, of));
  const toBoss = ratio(({ ours, boss }) => ours.perSecond / boss.perSecond);
  const toGraphile = ratio(({ ours, graphile }) => ours.perSecond / graphile.perSecond);
  const hanging = ratio((round) => round.hanging.perSecond / round.ours.perSecond);
  const { perSecond } = median('ours');
  const missed = [
    ...(toBoss < TARGETS.boss ? [`a/b is ${toBoss.toFixed(2)}, not ${TARGETS.boss}`] : []),
    ...(toGraphile < TARGETS.graphile ? [`a/c is ${toGraphile.toFixed(2)}, not ${TARGETS.graphile}`] : []),
    ...(hanging < TARGETS.hanging ? [`d/a is ${hanging.toFixed(2)}, not ${TARGETS.hanging}`] : []),
    ...(perSecond < TARGETS.perSecond ? [`(a) is ${perSecond.toFixed(0)}/s, not ${TARGETS.perSecond}`] : []),
  ];
  console.log(`a/b ${toBoss.toFixed(2)}   a/c ${toGraphile.toFixed(2)}   d/a ${hanging.toFixed(2)}`);
  appendRow('Webhooks', options, [
    ...(['ours', 'boss', 'graphile', 'hanging'] as const).map((name) => median(name).perSecond.toFixed(0)),
    ...[toBoss, toGraphile, hanging].map((value) => value.toFixed(2)),
    ...(['ours', 'boss', 'graphile'] as const).map(
      (name) => `${median(name).workerCpu.toFixed(2)} + ${median(name).postgresCpu.toFixed(2)}`,
    ),
    problems.length > 0 ? 'BROKEN' : missed.length > 0 ? 'MISSED' : 'hold',
  ]);
  return [...problems, ...missed];
}
