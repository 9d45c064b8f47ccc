import { setTimeout as delay } from 'node:timers/promises';
import type { Options } from '../../options';
import { CASES } from './cases';
import { measureMemoryOfAll } from './memory';
import type { NeighboursCase } from './neighbours-case';
import { appendCase, reportNeighbours, type CaseResult, type OperationResult } from './neighbours-report';
import type { Noise } from './noise';
import { measureOperation, type Operation } from './operations';
import { Stack } from './stack';
import type { Latencies } from './verdict';

const WARM_UP_MS = 1_500;
const ALONE_MS = 2_500;

/**
 * What one organization does, and another one does not feel. For each row, A makes its noise within its rate limit, and
 * operations of B are measured without and with it; every row has services and a database of its own.
 */
export async function benchNeighbours(options: Options): Promise<string[]> {
  const cases = selectCases(options.rows);
  if (options.memory) return measureMemoryOfAll(cases, options);
  const results: CaseResult[] = [];
  const failed: string[] = [];
  for (const one of cases) {
    const startedAt = Date.now();
    try {
      const result = await measureCase(one, options);
      appendCase(result, options);
      results.push(result);
    } catch (error) {
      // The other rows are measured nevertheless.
      console.error(error);
      failed.push(`row ${one.row} was not measured: ${error instanceof Error ? error.message : String(error)}`);
    }
    console.log(`row ${one.row} took ${((Date.now() - startedAt) / 1000).toFixed(0)} s`);
  }
  return [...failed, ...reportNeighbours(results)];
}

/** Throws if a row does not exist. */
export function selectCases(rows: readonly number[] | null): readonly NeighboursCase[] {
  if (rows === null) return CASES;
  const unknown = rows.filter((row) => !CASES.some((one) => one.row === row));
  if (unknown.length > 0) throw new Error(`--only must list rows from 1 to ${CASES.length}, such as 1,4.`);
  return CASES.filter(({ row }) => rows.includes(row));
}

async function measureCase(one: NeighboursCase, { seconds, processes }: Options): Promise<CaseResult> {
  const stack = await Stack.start(`row${one.row}`, one.services, processes);
  let noise: Noise | null = null;
  try {
    await one.prepare?.(stack);
    const operations = one.operations(stack);
    await measureAll(operations, WARM_UP_MS);
    const quiet = await measureAll(operations, seconds * 1000);
    noise = await one.start(stack);
    const alone = await rateOf(noise, () => delay(ALONE_MS));
    let noisy: Latencies[] = [];
    const beside = await rateOf(noise, async () => {
      noisy = await measureAll(operations, seconds * 1000);
    });
    return { case: one, operations: resultsOf(operations, quiet, noisy), alone, beside };
  } finally {
    await noise?.stop();
    await stack.remove();
  }
}

function measureAll(operations: readonly Operation[], durationMs: number): Promise<Latencies[]> {
  return Promise.all(operations.map((operation) => measureOperation(operation, durationMs)));
}

/** Resolves with how much of the noise is done per second during the work. */
async function rateOf(noise: Noise, work: () => Promise<unknown>): Promise<number> {
  const before = await noise.done();
  const startedAt = performance.now();
  await work();
  return ((await noise.done()) - before) / ((performance.now() - startedAt) / 1000);
}

function resultsOf(
  operations: readonly Operation[],
  quiet: readonly Latencies[],
  noisy: readonly Latencies[],
): OperationResult[] {
  return operations.flatMap(({ name, endToEnd }, index) => {
    const without = quiet[index];
    const under = noisy[index];
    return without && under ? { name, endToEnd, quiet: without, noisy: under } : [];
  });
}
