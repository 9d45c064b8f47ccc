import type { Writable } from 'node:stream';
import { csvLine } from '../../http/csv';
import type { ReportRow, RowWriter } from './row-writer';
import { cellOf, written } from './written';

export class CsvWriter implements RowWriter {
  private hasHeader = false;

  constructor(
    private readonly columns: readonly string[],
    private readonly target: Writable,
  ) {}

  async write(rows: readonly ReportRow[]): Promise<void> {
    const lines = rows.map((row) => csvLine(this.columns.map((column) => cellOf(row[column]))));
    await written(this.target, `${this.header()}${lines.join('')}`);
  }

  async end(): Promise<void> {
    await written(this.target, this.header());
    this.target.end();
  }

  private header(): string {
    if (this.hasHeader) return '';
    this.hasHeader = true;
    return csvLine(this.columns);
  }
}
