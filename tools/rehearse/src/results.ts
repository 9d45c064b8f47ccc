import type { Finding } from './rehearsal';

export interface Result {
  name: string;
  /** Revision of the workspace, as `git describe` prints it. */
  revision: string;
  finishedAt: Date;
  durationSeconds: number;
  findings: readonly Finding[];
}

export const hasPassed = (findings: readonly Finding[]): boolean =>
  findings.length > 0 && findings.every(({ passed }) => passed);

/** A Markdown table in the format of Prettier. */
export function tableOf(findings: readonly Finding[]): string {
  const rows = [
    ['Subject', 'Measured', 'Required', 'Result'],
    ...findings.map(({ subject, measured, required, passed }) => [
      subject,
      measured,
      required,
      required === '' ? '' : passed ? 'passed' : 'FAILED',
    ]),
  ].map((row) => row.map(escaped));
  const widths = [0, 1, 2, 3].map((column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [header = [], ...body] = rows;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

/** The section of a result in docs/operations/results.md. */
export function sectionOf({ name, revision, finishedAt, durationSeconds, findings }: Result): string {
  const time = finishedAt.toISOString().slice(0, 16).replace('T', ' ');
  const verdict = hasPassed(findings) ? 'passed' : 'FAILED';
  return [
    `## ${name}, ${time} UTC`,
    '',
    `Revision \`${revision}\`, ${Math.round(durationSeconds)} s: ${verdict}.`,
    '',
    tableOf(findings),
    '',
  ].join('\n');
}

/** Puts a section before the older ones. */
export function withSection(document: string, section: string): string {
  const first = document.search(/^## /m);
  if (first < 0) return `${document.trimEnd()}\n\n${section}`;
  return `${document.slice(0, first)}${section}\n${document.slice(first)}`;
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
}
