import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Options } from './options';

const FILE = path.join(process.cwd(), 'tools/bench/RESULTS.md');

/** Appends a row to the table of a section of RESULTS.md. Does nothing outside the repository. */
export function appendRow(heading: string, { rounds, seconds }: Options, cells: string[]): void {
  let lines: string[];
  try {
    lines = readFileSync(FILE, 'utf8').split('\n');
  } catch {
    return;
  }
  const begin = lines.indexOf(`## ${heading}`);
  if (begin < 0) throw new Error(`RESULTS.md has no section ${heading}`);
  const end = lines.findIndex((line, index) => index > begin && line.startsWith('## '));
  const last = lines.slice(0, end < 0 ? undefined : end).findLastIndex((line) => line.startsWith('|'));
  const when = new Date().toISOString().slice(0, 16);
  const machine = `${os.availableParallelism()} cores, load ${(os.loadavg()[0] ?? 0).toFixed(1)}`;
  lines.splice(last + 1, 0, `| ${[when, machine, `${rounds} x ${seconds} s`, ...cells].join(' | ')} |`);
  writeFileSync(FILE, lines.join('\n'));
}
