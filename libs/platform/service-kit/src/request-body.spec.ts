import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
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

  it('rejects when a slow request is closed before the whole body has arrived', async () => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const client = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers: { 'Content-Length': body.length } });
    client.on('error', () => undefined);
    try {
      const arrived = once(server, 'request') as Promise<[IncomingMessage]>;
      client.write(body.subarray(0, 5));
      const [request] = await arrived;
      const read = readBody(request, 1_000);
      // Without an error, as the time limit of readBody does it.
      request.destroy();
      await expect(read).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    } finally {
      client.destroy();
      server.close();
    }
  });
});
