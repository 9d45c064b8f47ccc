import { PassThrough } from 'node:stream';
import { XlsxWriter } from './xlsx-writer';

const COLUMNS = ['id', 'text'];
const rows = (batch: number) =>
  Array.from({ length: 1_000 }, (_, row) => ({ id: row, text: `text ${batch} ${row} `.repeat(10) }));

describe('XlsxWriter', () => {
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

  it('fails when its target is closed', async () => {
    const target = new PassThrough();
    const writer = new XlsxWriter(COLUMNS, target);
    await writer.write(rows(0));
    target.destroy(new Error('the disk is full'));
    const writeAll = async () => {
      for (let batch = 1; batch < 100; batch++) await writer.write(rows(batch));
    };
    target.on('error', () => undefined);
    await expect(writeAll()).rejects.toThrow('the disk is full');
  });
});
