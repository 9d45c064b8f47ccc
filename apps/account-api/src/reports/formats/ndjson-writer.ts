import type { Writable } from 'node:stream';
import type { ReportRow, RowWriter } from './row-writer';
import { written } from './written';

export class NdjsonWriter implements RowWriter {
  constructor(
    private readonly columns: readonly string[],
    private readonly target: Writable,
  ) {}

  async write(rows: readonly ReportRow[]): Promise<void> {
    const lines = rows.map((row) =>
      JSON.stringify(Object.fromEntries(this.columns.map((column) => [column, row[column] ?? null]))),
    );
    if (lines.length > 0) await written(this.target, `${lines.join('\n')}\n`);
  }

  end(): Promise<void> {
    this.target.end();
    return Promise.resolve();
  }
}
