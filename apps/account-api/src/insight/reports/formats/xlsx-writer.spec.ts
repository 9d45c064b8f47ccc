import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { Workbook } from 'exceljs';
import type { ReportRow } from './row-writer';
import { XlsxWriter } from './xlsx-writer';

const COLUMNS = ['id', 'text'];
const rows = (batch: number) =>
  Array.from({ length: 1_000 }, (_, row) => ({ id: row, text: `text ${batch} ${row} `.repeat(10) }));

/** Returns the cells of each sheet of a workbook, as an independent library reads them. */
async function written(batches: readonly (readonly ReportRow[])[], columns = COLUMNS, maxRows?: number) {
  const target = new PassThrough();
  const content = buffer(target);
  const writer = new XlsxWriter(columns, target, maxRows);
  for (const batch of batches) await writer.write(batch);
  await writer.end();
  const workbook = new Workbook();
  await workbook.xlsx.load((await content) as never);
  return workbook.worksheets.map((sheet) => ({
    name: sheet.name,
    rows: (sheet.getSheetValues() as unknown[][]).slice(1).map((cells) => cells.slice(1)),
  }));
}
const textsOf = async (texts: readonly string[]) => {
  const [sheet] = await written([texts.map((text) => ({ id: 1, text }))]);
  return sheet?.rows.slice(1).map(([, text]) => text);
};

describe('XlsxWriter', () => {
  it('writes numbers, texts, timestamps and JSON, and omits null', async () => {
    const columns = ['n', 'text', 'time', 'json', 'flag', 'none', 'last'];
    const row = { n: 1.5, text: '12', time: new Date(0), json: { a: [1] }, flag: false, none: null, last: 'x' };
    expect(await written([[row]], columns)).toEqual([
      { name: 'Report 1', rows: [columns, [1.5, '12', '1970-01-01T00:00:00.000Z', '{"a":[1]}', 'false', , 'x']] },
    ]);
  });

  it('writes a workbook without rows', async () => {
    expect(await written([])).toEqual([{ name: 'Report 1', rows: [COLUMNS] }]);
  });

  it('keeps texts that have a meaning in XML', async () => {
    const texts = ['<a href="x">&amp;\'</a>', '  spaces ', 'a\nb', 'a\r\nb', 'हिन्दी 😀', ']]>'];
    expect(await textsOf(texts)).toEqual(texts);
  });

  it('escapes texts that spreadsheets read as an escaped character', async () => {
    // exceljs decodes no escaped characters, Excel and LibreOffice do.
    expect(await textsOf(['_x0041_', '_x000d_x000D_', '_x41_', 'x0041_'])).toEqual([
      '_x005F_x0041_',
      '_x005F_x000d_x005F_x000D_',
      '_x41_',
      'x0041_',
    ]);
  });

  it('writes no formulas and no characters that XML cannot contain', async () => {
    expect(await textsOf(['=1+1', '@SUM(1)', '-5', 'a\u0000\u001b\uffffb'])).toEqual(["'=1+1", "'@SUM(1)", '-5', 'ab']);
  });

  it('limits a cell to 32,767 characters', async () => {
    expect(await textsOf(['x'.repeat(40_000)])).toEqual(['x'.repeat(32_767)]);
  });

  it('names columns after Z', async () => {
    const columns = Array.from({ length: 60 }, (_, index) => `column ${index}`);
    const [sheet] = await written([[{ 'column 59': 'last' }]], columns);
    expect(sheet?.rows[0]).toEqual(columns);
    expect(sheet?.rows[1]?.[59]).toBe('last');
  });

  it('continues on the next sheet, with the column names', async () => {
    const batch = [1, 2, 3, 4, 5].map((id) => ({ id, text: `text ${id}` }));
    const sheets = await written([batch, batch.slice(0, 1)], COLUMNS, 3);
    expect(sheets.map(({ name }) => name)).toEqual(['Report 1', 'Report 2', 'Report 3']);
    expect(sheets.map((sheet) => sheet.rows[0])).toEqual([COLUMNS, COLUMNS, COLUMNS]);
    expect(sheets.map((sheet) => sheet.rows.slice(1).map(([id]) => id))).toEqual([
      [1, 2],
      [3, 4],
      [5, 1],
    ]);
  });

  it('waits for the compression, so that rows do not accumulate in memory', async () => {
    const target = new PassThrough();
    let bytes = 0;
    target.on('data', (chunk: Buffer) => (bytes += chunk.length));
    const writer = new XlsxWriter(COLUMNS, target);
    for (let batch = 0; batch < 60; batch++) await writer.write(rows(batch));
    const before = bytes;
    await writer.end();
    // The test writes about 10 MB; at most a tenth may remain uncompressed until the end.
    expect(before).toBeGreaterThan(0.8 * bytes);
  });

  it('waits for its target in the middle of a batch', async () => {
    const target = new PassThrough();
    const writer = new XlsxWriter(COLUMNS, target);
    let produced = 0;
    const batch = Array.from({ length: 20_000 }, (_, id) => ({
      get id() {
        return (produced = id + 1);
      },
      text: String(Math.random()).repeat(10),
    }));
    const done = writer.write(batch).then(() => writer.end());
    for (let turn = 0, seen = -1; seen !== produced || turn < 100; turn++) {
      seen = produced;
      await setImmediate();
    }
    expect(produced).toBeLessThan(10_000);
    target.resume();
    await done;
    expect(produced).toBe(20_000);
  });

  it('fails when its target is closed', async () => {
    const target = new PassThrough();
    const writer = new XlsxWriter(COLUMNS, target);
    await writer.write(rows(0).slice(0, 10));
    target.destroy(new Error('the disk is full'));
    const writeAll = async () => {
      for (let batch = 1; batch < 100; batch++) await writer.write(rows(batch));
    };
    target.on('error', () => undefined);
    await expect(writeAll()).rejects.toThrow('the disk is full');
    await expect(writer.end()).rejects.toThrow('the disk is full');
  });
});
