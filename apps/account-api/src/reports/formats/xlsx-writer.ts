import { EventEmitter } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { stream, type Worksheet } from 'exceljs';
import { harmless } from '../../http/csv';
import type { ReportRow } from './row-writer';
import { cellOf, drained } from './written';

/** Limits of the XLSX format. */
const MAX_ROWS = 1_048_576;
const MAX_CELL_CHARACTERS = 32_767;
const MAX_UNCOMPRESSED_BYTES = 1_000_000;
/** XML 1.0 cannot contain other control characters. */
const UNSTORABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Writes a workbook; rows that one sheet cannot hold continue on the next. */
export class XlsxWriter {
  private readonly workbook: stream.xlsx.WorkbookWriter;
  private sheet: Worksheet;
  private sheets = 0;
  private rows = 0;

  constructor(
    private readonly columns: readonly string[],
    private readonly target: Writable,
  ) {
    this.workbook = new stream.xlsx.WorkbookWriter({ stream: target, useSharedStrings: false, useStyles: false });
    this.sheet = this.addSheet();
  }

  async write(rows: readonly ReportRow[]): Promise<void> {
    for (const row of rows) {
      if (this.rows === MAX_ROWS) {
        this.sheet.commit();
        this.sheet = this.addSheet();
      }
      this.addRow(this.columns.map((column) => storable(cellOf(row[column]))));
    }
    await setImmediate();
    await this.compressed();
    await drained(this.target);
  }

  /** Ends the stream. */
  async end(): Promise<void> {
    this.sheet.commit();
    await this.workbook.commit();
  }

  /** Waits for the compression, because the library does not, and its input would accumulate in memory. */
  private async compressed(): Promise<void> {
    const pipes: unknown = Reflect.get(Object(Reflect.get(this.sheet, 'stream')), 'pipes');
    for (const pipe of Array.isArray(pipes) ? pipes : []) {
      while (pipe instanceof EventEmitter && waitingBytes(pipe) > MAX_UNCOMPRESSED_BYTES) {
        if (this.target.destroyed) throw this.target.errored ?? new Error('the target of the report was closed');
        await delay(1);
      }
    }
  }

  private addSheet(): Worksheet {
    this.sheets++;
    this.rows = 0;
    const sheet = this.workbook.addWorksheet(`Report ${this.sheets}`);
    this.sheet = sheet;
    this.addRow(this.columns);
    return sheet;
  }

  private addRow(cells: readonly (string | number | null)[]): void {
    this.sheet.addRow([...cells]).commit();
    this.rows++;
  }
}

function storable(cell: string | number | null): string | number | null {
  if (typeof cell !== 'string') return cell;
  return harmless(cell.replace(UNSTORABLE, '')).slice(0, MAX_CELL_CHARACTERS);
}

/** Number of buffered bytes in a stream of the library, which has no `writableLength`. */
function waitingBytes(stream: object): number {
  return Number(Reflect.get(Object(Reflect.get(stream, '_writableState')), 'length')) || 0;
}
