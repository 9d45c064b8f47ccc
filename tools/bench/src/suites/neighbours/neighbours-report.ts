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

/** Prints the table and appends it to RESULTS.md. Returns the missed targets. */
export function reportNeighbours(results: readonly CaseResult[], options: Options): string[] {
  const commit = currentCommit();
  const table: string[][] = [];
  const missed: string[] = [];
  for (const { case: one, operations, alone, beside } of results) {
    for (const operation of operations) {
      const missedHere = missedTargets(operation);
      missed.push(...missedHere.map((target) => `row ${one.row}, ${operation.name}: ${target}`));
      table.push([
        String(one.row),
        one.noise,
        operation.name,
        latencyCell(operation.quiet),
        latencyCell(operation.noisy),
        ratioOf(operation).toFixed(1),
        `${alone.toFixed(0)} / ${beside.toFixed(0)} ${one.unit}/s`,
        missedHere.length === 0 ? 'holds' : 'MISSED',
      ]);
    }
  }
  printTable([COLUMNS, ...table]);
  const { seconds, processes } = options;
  for (const cells of table)
    appendRow('Neighbours', { ...options, rounds: 1, seconds }, [commit, String(processes), ...cells]);
  return missed;
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
