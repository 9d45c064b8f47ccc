import { gzipSync } from 'node:zlib';
import { readCutOffRequest } from '@heliograph/testing';
import { readBody } from './request-body';

describe('readBody', () => {
  const body = Buffer.from('{"to":"+919811111111"}');
  const zipped = gzipSync(body);

  it.each([
    ['a part of the body', {}, body.subarray(0, 5), body.length],
    ['the whole body', {}, body, body.length],
    ['a part of a compressed body', { 'Content-Encoding': 'gzip' }, zipped.subarray(0, 9), zipped.length],
    ['a compressed body', { 'Content-Encoding': 'gzip' }, zipped, zipped.length],
  ])('rejects when the client has sent %s and gone before it was read', async (_what, headers, sent, length) => {
    const read = readCutOffRequest(headers, sent, length, (request) => readBody(request, 1_000));
    await expect(read).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});
