import { execFileSync } from 'node:child_process';
import type { Options } from '../../options';
import { appendRow } from '../../results';
import type { NeighboursCase } from './neighbours-case';
import { missedTargets, ratioOf, type Comparison, type Latencies } from './verdict';

export interface OperationResult extends Comparison {
  name: string;
}

export interface CaseResult {
  case: NeighboursCase;
  operations: OperationResult[];
  /** What A gets done per second, alone and while B is measured. */
  alone: number;
  beside: number;
}

const COLUMNS = ['row', 'A', 'B', 'quiet p50 / p99', 'under A', 'ratio', "A's rate alone / with B", 'target'];

/** Appends the row of a case to RESULTS.md. */
export function appendCase(result: CaseResult, options: Options): void {
  const commit = currentCommit();
  for (const cells of cellsOf(result)) {
    appendRow('Neighbours', { ...options, rounds: 1 }, [commit, String(options.processes), ...cells]);
  }
}

/** Prints the table of all cases. Returns the missed targets. */
export function reportNeighbours(results: readonly CaseResult[]): string[] {
  printTable([COLUMNS, ...results.flatMap(cellsOf)]);
  return results.flatMap(({ case: { row }, operations }) =>
    operations.flatMap((operation) =>
      missedTargets(operation).map((target) => `row ${row}, ${operation.name}: ${target}`),
    ),
  );
}

function cellsOf({ case: one, operations, alone, beside }: CaseResult): string[][] {
  return operations.map((operation) => [
    String(one.row),
    one.noise,
    operation.name,
    latencyCell(operation.quiet),
    latencyCell(operation.noisy),
    ratioOf(operation).toFixed(1),
    `${alone.toFixed(0)} / ${beside.toFixed(0)} ${one.unit}/s`,
    missedTargets(operation).length === 0 ? 'holds' : 'MISSED',
  ]);
}

/** Operations that did not end count with the time that passed until the measurement ended. */
function latencyCell({ p50Ms, p99Ms, unfinished, failures }: Latencies): string {
  const notes = [
    ...(unfinished > 0 ? [`${unfinished} unfinished`] : []),
    ...(failures.length > 0 ? [`${failures.length} failed`] : []),
  ];
  return `${p50Ms.toFixed(0)} / ${p99Ms.toFixed(0)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

function currentCommit(): string {
  return execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim();
}

export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}
