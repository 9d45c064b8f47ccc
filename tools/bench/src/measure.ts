import { ToolProcess } from '@heliograph/harness';
import type { LoadOrder, LoadReport } from './load-generator';

export const CONNECTIONS = 64;

/** CPU seconds per 1,000 calls, by who used them. */
export type CpuSplit = Record<string, number>;

export interface Measured {
  /** Calls that were answered with success: all of them. */
  ok: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuPerThousand: number;
  cpuSplit: CpuSplit;
  memoryMb: number;
}

/** CPU seconds that somebody has used so far. */
export type CpuClocks = Record<string, () => number>;

/** A process that makes the calls and reports on them: the load generator, unless it is something else. */
export interface Generator {
  entry: string;
  args: string[];
}

/** One run of the load generator against a server; a refused call is an error. */
export async function measure(
  order: LoadOrder,
  server: ToolProcess,
  clocks: CpuClocks,
  { entry, args }: Generator = { entry: 'load-generator', args: [] },
): Promise<Measured> {
  const read = (): CpuSplit =>
    Object.fromEntries(Object.entries(clocks).map(([name, cpuSeconds]) => [name, cpuSeconds()]));
  const before = read();
  // JSON has no infinity.
  const calls = Number.isFinite(order.calls) ? order.calls : Number.MAX_SAFE_INTEGER;
  const generator = new ToolProcess('generator', entry, {}, [JSON.stringify({ ...order, calls }), ...args]);
  const report = await generator.nextJson<LoadReport>(order.durationMs + 600_000);
  await generator.stop();
  if (report.refused > 0) throw new Error(`${report.refused} calls to ${order.path} were refused`);
  const used = Object.fromEntries(
    Object.entries(read()).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]),
  );
  used['generator'] = report.cpuSeconds;
  const { ok, perSecond, p50Ms, p99Ms } = report;
  return {
    ok,
    perSecond,
    p50Ms,
    p99Ms,
    cpuPerThousand: (Object.values(used).reduce((sum, seconds) => sum + seconds, 0) / ok) * 1000,
    cpuSplit: Object.fromEntries(Object.entries(used).map(([name, seconds]) => [name, (seconds / ok) * 1000])),
    memoryMb: server.memoryMb(),
  };
}

/** Plays variants in turns, one round of all unmeasured (compilation, caches, connections); the median of each. */
export async function playRounds<Name extends string>(
  variants: Record<Name, () => Promise<Measured>>,
  rounds: number,
): Promise<Record<Name, Measured>> {
  const names = Object.keys(variants) as Name[];
  const played: [Name, Measured][] = [];
  for (let round = 0; round <= rounds; round++) {
    const now: [Name, Measured][] = [];
    for (const name of names) now.push([name, await variants[name]()]);
    if (round === 0) continue;
    played.push(...now);
    console.log(`round ${round}: ${now.map(([name, m]) => `${name} ${m.perSecond.toFixed(0)}/s`).join('  ')}`);
  }
  const medianOf = (name: Name): Measured => median(played.filter(([of]) => of === name).map(([, m]) => m));
  return Object.fromEntries(names.map((name) => [name, medianOf(name)])) as Record<Name, Measured>;
}

function median(measured: Measured[]): Measured {
  const sorted = [...measured].sort((x, y) => x.perSecond - y.perSecond);
  const middle = sorted[sorted.length >> 1];
  if (!middle) throw new Error('nothing was measured');
  return middle;
}

export function showMeasured(name: string, m: Measured): string {
  return (
    `${name.padEnd(34)} ${m.perSecond.toFixed(0).padStart(6)}/s  p50 ${m.p50Ms.toFixed(1).padStart(6)} ms  ` +
    `p99 ${m.p99Ms.toFixed(1).padStart(6)} ms  ${m.cpuPerThousand.toFixed(3)} CPU s/1000  ${m.memoryMb.toFixed(0)} MB`
  );
}

export function showSplit({ cpuSplit }: Measured): string {
  return Object.entries(cpuSplit)
    .map(([name, seconds]) => `${name} ${seconds.toFixed(3)}`)
    .join('  ');
}
