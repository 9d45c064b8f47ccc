import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { messagingErrorBody } from '@heliograph/errors';
import { refuseUnreadable } from './unreadable-request';

describe('a request that is not HTTP', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer((_request, response) => response.end('ok'));
    refuseUnreadable(server, messagingErrorBody);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.close());

  const answerTo = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let text = '';
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(bytes));
      socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      socket.on('close', () => resolve(text)).on('error', reject);
    });

  it.each([
    ['nonsense', 'nonsense\r\n\r\n', 400],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['headers of 40 kB', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
  ])('gets an error in the shape of the service (%s)', async (_what, bytes, status) => {
    const [head = '', body = ''] = (await answerTo(bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toContain('Content-Type: application/json');
    expect(JSON.parse(body)).toEqual({ code: 'INVALID_REQUEST', message: expect.any(String) as string });
  });
});
