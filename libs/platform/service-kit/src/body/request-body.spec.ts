import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { readCutOffRequest, until } from '@heliograph/testing';
import { arrivedBody, readBody } from './request-body';

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

describe('arrivedBody', () => {
  const body = Buffer.from('{"to":"+919811111111"}');

  /** Sends a request, and returns what `arrivedBody` returns after the server has received `sent`. */
  const receive = async (headers: Record<string, string>, sent: Buffer, maxBytes = 1_000) => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const client = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers });
    client.on('error', () => undefined);
    try {
      const requested = once(server, 'request') as Promise<[IncomingMessage]>;
      client.write(sent);
      const [request] = await requested;
      await until('the body is received', () => Promise.resolve(request.readableLength === sent.length));
      const bytes = arrivedBody(request, maxBytes);
      if (bytes) await once(request, 'end');
      return bytes;
    } finally {
      client.destroy();
      server.close();
    }
  };
  const length = { 'Content-Length': String(body.length) };

  it('returns a body that has arrived, and lets the request end', async () => {
    expect(await receive(length, body)).toEqual(body);
  });

  it.each([
    ['only a part has arrived', length, body.subarray(0, 5), 1_000],
    ['the length is unknown', {}, body, 1_000],
    ['it is compressed', { ...length, 'Content-Encoding': 'gzip' }, body, 1_000],
    ['it is larger than the limit', length, body, body.length - 1],
  ])('returns null if %s', async (_what, headers, sent, maxBytes) => {
    expect(await receive(headers, sent, maxBytes)).toBeNull();
  });
});
