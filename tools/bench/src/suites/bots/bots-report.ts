import { latencyCell, printMeasurements, type Measurement } from '../../measure';
import type { Options } from '../../options';
import { appendRow } from '../../results';
import type { Streams } from './streams';

/** The maximum p99 latency of a turn at half of the maximum load. */
const MAX_P99_MS = 50;

type Names = 'turns' | 'floor' | 'plain' | 'starts' | 'half';

export interface BotResults extends Record<Names, Measurement> {
  streams: Streams;
  steps: Record<string, number>;
  correct: number;
}

const TITLES: Record<Names, string> = {
  turns: '(a) turns, 64 concurrent visitors',
  floor: '(b) floor of the same process',
  plain: '(c) plain endpoint',
  starts: '(d) starts with a question',
  half: 'turns at half of (a), open loop',
};

/** Resolves with the violations and the missed targets. */
export function reportBots(results: BotResults, violations: string[], options: Options): string[] {
  printMeasurements(TITLES, results);
  const { turns, floor, plain, starts, half, streams, steps, correct } = results;
  const ofFloor = turns.perSecond / floor.perSecond;
  const ofPlain = turns.perSecond / plain.perSecond;
  const shares = Object.entries(steps).map(([step, share]) => `${step} ${(share * 100).toFixed(1)} %`);
  console.log(
    `answered by: ${shares.join(', ')}; literal FAQ questions answered by their FAQ: ${(correct * 100).toFixed(1)} %`,
  );
  console.log(
    `${streams.streams} streams: ${streams.kilobytes.toFixed(1)} kB each, after the replies ${streams.kilobytesLater.toFixed(1)} kB; ` +
      `${streams.replies} replies arrived after p50 ${streams.p50Ms.toFixed(1)} ms, p99 ${streams.p99Ms.toFixed(1)} ms; ` +
      `idle ${(streams.idleShare * 100).toFixed(1)} % of a processor, PostgreSQL ${(streams.idlePostgresShare * 100).toFixed(1)} %`,
  );
  console.log(`a/b ${ofFloor.toFixed(2)}  a/c ${ofPlain.toFixed(2)}`);
  appendRow('Bots', options, [
    ...[turns, floor, plain, starts].map(({ perSecond }) => perSecond.toFixed(0)),
    ...[ofFloor, ofPlain].map((ratio) => ratio.toFixed(2)),
    latencyCell(turns),
    latencyCell(half),
    `${(turns.cpuSplit['server'] ?? NaN).toFixed(2)} + ${(turns.cpuSplit['postgres'] ?? NaN).toFixed(2)}`,
    `${streams.kilobytes.toFixed(1)} / ${streams.kilobytesLater.toFixed(1)}`,
    `${streams.p50Ms.toFixed(1)} / ${streams.p99Ms.toFixed(1)}`,
    `${(streams.idleShare * 100).toFixed(1)} + ${(streams.idlePostgresShare * 100).toFixed(1)}`,
    violations.length === 0 ? 'hold' : 'BROKEN',
  ]);
  const isTooSlow = half.p99Ms > MAX_P99_MS;
  return [...violations, ...(isTooSlow ? [`the p99 at half load is above ${MAX_P99_MS} ms`] : [])];
}
