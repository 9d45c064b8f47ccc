import { ApiError } from '@heliograph/sdk';

const COLORS = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 };
export type Color = keyof typeof COLORS;

/** Control characters of texts from the API must not reach a terminal. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Writes results to the standard output and everything else to the standard error. */
export class Output {
  constructor(
    readonly isJson: boolean,
    private readonly hasColors: boolean,
  ) {}

  /** A result: one line of JSON, or the text for people. */
  result(value: unknown, text: string): void {
    process.stdout.write(`${this.isJson ? JSON.stringify(value) : text}\n`);
  }

  /** A remark for people, which is not part of the result. */
  note(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  color(color: Color, text: string): string {
    return this.hasColors ? `\u001b[${COLORS[color]}m${text}\u001b[0m` : text;
  }

  /** A line that replaces the one before on a terminal. Elsewhere, nothing is written. */
  progress(text: string): void {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${text}`);
  }

  endProgress(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K');
  }

  error(error: unknown): void {
    if (this.isJson && error instanceof ApiError) {
      const { code, status, message, fields, requestId, link } = error;
      process.stderr.write(`${JSON.stringify({ code, status, message, fields, requestId, link })}\n`);
      return;
    }
    const message = error instanceof Error ? error.message : String(error);
    this.note(`${this.color('red', 'Error:')} ${message}`);
    if (!(error instanceof ApiError)) return;
    for (const { field, message: problem } of error.fields) this.note(`  ${field}: ${problem}`);
    this.note(this.color('dim', `  ${error.link}`));
  }
}

/** A text of the API that is safe on a terminal, in one line. */
export function plain(value: unknown): string {
  const text = value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/\s*\n\s*/g, ' ').replace(CONTROLS, '');
}

/** Rows as columns with aligned texts. */
export function table(rows: readonly (readonly unknown[])[]): string {
  const texts = rows.map((row) => row.map(plain));
  const widths = (texts[0] ?? []).map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  return texts
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const BAR_WIDTH = 24;

export function progressBar(done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(share * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${String(Math.round(share * 100)).padStart(3)} %`;
}
