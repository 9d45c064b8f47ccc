import { setTimeout as delay } from 'node:timers/promises';
import type { Options } from '../../options';
import type { NeighboursCase } from './neighbours-case';
import { printTable } from './neighbours-report';
import { together, type Noise } from './noise';
import { Stack } from './stack';

const DURATION_MS = 60_000;
const SAMPLE_EVERY_MS = 250;
const COLUMNS = ['process', 'MB before', 'MB highest', 'MB at the end'];

/** Prints the resident memory of each process while A makes the noise of all cases at once. */
export async function measureMemoryOfAll(cases: readonly NeighboursCase[], { processes }: Options): Promise<string[]> {
  const services = [...new Set(cases.flatMap((one) => one.services))];
  const stack = await Stack.start('memory', services, processes);
  const noises: Noise[] = [];
  try {
    for (const one of cases) await one.prepare?.(stack);
    const measured = stack.processes();
    const before = measured.map((process) => process.memoryMb());
    const highest = [...before];
    const sampling = setInterval(() => {
      for (const [index, process] of measured.entries()) {
        if (!process.exited) highest[index] = Math.max(highest[index] ?? 0, process.memoryMb());
      }
    }, SAMPLE_EVERY_MS);
    const blockingLast = cases.toSorted((one, other) => Number(one.blocksA ?? false) - Number(other.blocksA ?? false));
    for (const one of blockingLast) noises.push(await one.start(stack));
    await delay(DURATION_MS);
    clearInterval(sampling);
    const rows = measured.map((process, index) => [
      process.name,
      ...[before[index], highest[index], process.exited ? undefined : process.memoryMb()].map(megabytesCell),
    ]);
    printTable([COLUMNS, ...rows]);
    return measured.filter(({ exited }) => exited).map(({ name }) => `${name} has ended`);
  } finally {
    await together(...noises).stop();
    await stack.remove();
  }
}

function megabytesCell(megabytes: number | undefined): string {
  return megabytes === undefined ? 'ended' : megabytes.toFixed(0);
}
