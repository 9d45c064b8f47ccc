import { ToolProcess } from '@heliograph/harness';
import { medianBy } from './latencies';
import type { LoadOrder } from './load-generator';
import type { LoadReport } from './load-report';

export const CONNECTIONS = 64;
const REPORT_TIMEOUT_MS = 600_000;

/** CPU seconds per 1,000 calls, by process. */
export type CpuSplit = Record<string, number>;

export interface Measurement {
  /** The number of calls, all of them successful. */
  ok: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuPerThousand: number;
  cpuSplit: CpuSplit;
  memoryMb: number;
}

/** Functions that return the CPU seconds used so far, by process. */
export type CpuClocks = Record<string, () => number>;

/** The process that makes the calls and prints a LoadReport. */
export interface Generator {
  entry: string;
  args: string[];
}

/** Runs the load generator against a server. Throws if a call was refused. */
export async function measure(
  order: LoadOrder,
  server: ToolProcess,
  clocks: CpuClocks,
  { entry, args }: Generator = { entry: 'load-generator', args: [] },
): Promise<Measurement> {
  const read = (): CpuSplit =>
    Object.fromEntries(Object.entries(clocks).map(([name, cpuSeconds]) => [name, cpuSeconds()]));
  const before = read();
  // JSON cannot represent Infinity.
  const calls = Number.isFinite(order.calls) ? order.calls : Number.MAX_SAFE_INTEGER;
  const generator = new ToolProcess('generator', entry, {}, [JSON.stringify({ ...order, calls }), ...args]);
  const report = await generator.nextJson<LoadReport>(order.durationMs + REPORT_TIMEOUT_MS);
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

/**
 * Runs variants alternately, with one warm-up round that is not measured. Resolves with the median of each variant.
 */
export async function runRounds<Name extends string>(
  variants: Record<Name, () => Promise<Measurement>>,
  rounds: number,
): Promise<Record<Name, Measurement>> {
  const names = Object.keys(variants) as Name[];
  const measured: [Name, Measurement][] = [];
  for (let round = 0; round <= rounds; round++) {
    const current: [Name, Measurement][] = [];
    for (const name of names) current.push([name, await variants[name]()]);
    if (round === 0) continue;
    measured.push(...current);
    console.log(`round ${round}: ${current.map(([name, m]) => `${name} ${m.perSecond.toFixed(0)}/s`).join('  ')}`);
  }
  const medianOf = (name: Name): Measurement =>
    medianBy(
      measured.filter(([of]) => of === name).map(([, measurement]) => measurement),
      ({ perSecond }) => perSecond,
    );
  return Object.fromEntries(names.map((name) => [name, medianOf(name)])) as Record<Name, Measurement>;
}

export function formatMeasurement(name: string, m: Measurement): string {
  return (
    `${name.padEnd(34)} ${m.perSecond.toFixed(0).padStart(6)}/s  p50 ${m.p50Ms.toFixed(1).padStart(6)} ms  ` +
    `p99 ${m.p99Ms.toFixed(1).padStart(6)} ms  ${m.cpuPerThousand.toFixed(3)} CPU s/1000  ${m.memoryMb.toFixed(0)} MB`
  );
}

export function formatSplit({ cpuSplit }: Measurement): string {
  return Object.entries(cpuSplit)
    .map(([name, seconds]) => `${name} ${seconds.toFixed(3)}`)
    .join('  ');
}

/** Prints measurements with their CPU split, in the order of the titles. */
export function printMeasurements<Name extends string>(
  titles: Record<Name, string>,
  measurements: Record<NoInfer<Name>, Measurement>,
): void {
  for (const name of Object.keys(titles) as Name[]) {
    console.log(formatMeasurement(titles[name], measurements[name]));
    console.log(`    CPU s/1000: ${formatSplit(measurements[name])}`);
  }
}

/** The cell of RESULTS.md with the latencies of a measurement. */
export function latencyCell({ p50Ms, p99Ms }: Measurement, digits = 1): string {
  return `${p50Ms.toFixed(digits)} / ${p99Ms.toFixed(digits)}`;
}
