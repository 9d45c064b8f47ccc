import { showMeasured, showSplit, type Measured } from '../../measure';
import type { Options } from '../../options';
import { appendRow } from '../../results';
import type { Streams } from './streams';

/** What a turn may take at half the load that the process can bear, for 99 in 100. */
const LONGEST_P99_MS = 50;

type Names = 'turns' | 'floor' | 'plain' | 'starts' | 'half';

export interface BotResults extends Record<Names, Measured> {
  streams: Streams;
  steps: Record<string, number>;
  right: number;
}

const TITLES: Record<Names, string> = {
  turns: '(a) turns, 64 visitors at once',
  floor: '(b) floor of the same process',
  plain: '(c) plain endpoint',
  starts: '(d) starts with a question',
  half: 'turns at half of (a), open loop',
};

/** Answers what is broken, a wait that is too long among it. */
export function reportBots(results: BotResults, broken: string[], options: Options): string[] {
  const names = Object.keys(TITLES) as Names[];
  for (const name of names) {
    console.log(showMeasured(TITLES[name], results[name]));
    console.log(`    CPU s/1000: ${showSplit(results[name])}`);
  }
  const { turns, floor, plain, starts, half, streams, steps, right } = results;
  const [ofFloor, ofPlain] = [turns.perSecond / floor.perSecond, turns.perSecond / plain.perSecond];
  const shares = Object.entries(steps).map(([step, share]) => `${step} ${(share * 100).toFixed(1)} %`);
  console.log(`answered by: ${shares.join(', ')}; word for word asked and so answered: ${(right * 100).toFixed(1)} %`);
  console.log(
    `${streams.streams} streams: ${streams.kilobytes.toFixed(1)} kB each, later ${streams.kilobytesLater.toFixed(1)} kB; ` +
      `${streams.replies} replies arrived after p50 ${streams.p50Ms.toFixed(1)} ms, p99 ${streams.p99Ms.toFixed(1)} ms; ` +
      `idle ${(streams.idleShare * 100).toFixed(1)} % of a processor, PostgreSQL ${(streams.idlePostgresShare * 100).toFixed(1)} %`,
  );
  console.log(`a/b ${ofFloor.toFixed(2)}  a/c ${ofPlain.toFixed(2)}`);
  appendRow('Bots', options, [
    ...[turns, floor, plain, starts].map(({ perSecond }) => perSecond.toFixed(0)),
    ...[ofFloor, ofPlain].map((ratio) => ratio.toFixed(2)),
    `${turns.p50Ms.toFixed(1)} / ${turns.p99Ms.toFixed(1)}`,
    `${half.p50Ms.toFixed(1)} / ${half.p99Ms.toFixed(1)}`,
    `${(turns.cpuSplit['server'] ?? NaN).toFixed(2)} + ${(turns.cpuSplit['postgres'] ?? NaN).toFixed(2)}`,
    `${streams.kilobytes.toFixed(1)} / ${streams.kilobytesLater.toFixed(1)}`,
    `${streams.p50Ms.toFixed(1)} / ${streams.p99Ms.toFixed(1)}`,
    `${(streams.idleShare * 100).toFixed(1)} + ${(streams.idlePostgresShare * 100).toFixed(1)}`,
    broken.length === 0 ? 'hold' : 'BROKEN',
  ]);
  const isTooSlow = half.p99Ms > LONGEST_P99_MS;
  return [...broken, ...(isTooSlow ? [`at half load the p99 is above ${LONGEST_P99_MS} ms`] : [])];
}
