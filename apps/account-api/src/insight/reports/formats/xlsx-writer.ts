import { PassThrough, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { guardFormulas, Turns } from '@heliograph/service-kit';
import type { ReportRow } from './row-writer';
import { cellOf, drained } from './written';
import { packageParts, rowXml, SHEET_BEGIN, SHEET_END, sheetPath } from './xlsx-parts';

/** Limits of the XLSX format. */
const MAX_ROWS = 1_048_576;
const MAX_CELL_CHARACTERS = 32_767;
/** XML 1.0 cannot contain other control characters. */
const UNSTORABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
/** Characters of XML that are passed on at once. */
const CHUNK_CHARACTERS = 65_536;
/** The fastest level: a report is a large file that is read once. */
const COMPRESSION_LEVEL = 1;

/** Writes a workbook at the speed of its target; rows that one sheet cannot hold continue on the next. */
export class XlsxWriter {
  private readonly zip = new ZipFile();
  private readonly stored: Promise<void>;
  private sheet = new PassThrough();
  private sheets = 0;
  private rows = 0;
  private xml = '';

  /** `maxRows`: rows of a sheet, with the row of the column names. */
  constructor(
    private readonly columns: readonly string[],
    private readonly target: Writable,
    private readonly maxRows = MAX_ROWS,
  ) {
    this.zip.on('error', (error: Error) => this.target.destroy(error));
    this.stored = pipeline(this.zip.outputStream, target);
    this.stored.catch((error: unknown) => this.sheet.destroy(error as Error));
    this.beginSheet();
  }

  async write(rows: readonly ReportRow[]): Promise<void> {
    const cpu = new Turns();
    for (const row of rows) {
      if (this.rows === this.maxRows) {
        this.endSheet();
        this.beginSheet();
      }
      this.addRow(this.columns.map((column) => storable(cellOf(row[column]))));
      if (this.xml.length >= CHUNK_CHARACTERS) await this.flush();
      await cpu.next();
    }
    await this.flush();
  }

  /** Ends the target. */
  async end(): Promise<void> {
    this.endSheet();
    for (const [path, xml] of Object.entries(packageParts(this.sheets))) this.zip.addBuffer(Buffer.from(xml), path);
    this.zip.end();
    await this.stored;
  }

  private beginSheet(): void {
    this.sheets++;
    this.rows = 0;
    this.sheet = new PassThrough();
    // `stored` reports why the target failed; a later write fails because the sheet is destroyed.
    this.sheet.on('error', () => undefined);
    this.zip.addReadStream(this.sheet, sheetPath(this.sheets), { compressionLevel: COMPRESSION_LEVEL });
    this.xml = SHEET_BEGIN;
    this.addRow(this.columns);
  }

  private endSheet(): void {
    this.sheet.end(`${this.xml}${SHEET_END}`);
  }

  private addRow(cells: readonly (string | number | null)[]): void {
    this.rows++;
    this.xml += rowXml(this.rows, cells);
  }

  /** Resolves when the compression accepts more. */
  private async flush(): Promise<void> {
    this.sheet.write(this.xml);
    this.xml = '';
    await drained(this.sheet);
  }
}

function storable(cell: string | number | null): string | number | null {
  if (typeof cell !== 'string') return cell;
  return guardFormulas(cell.replace(UNSTORABLE, '')).slice(0, MAX_CELL_CHARACTERS);
}
