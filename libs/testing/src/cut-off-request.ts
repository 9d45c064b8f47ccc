import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Passes a request to `read` whose client has closed the connection before anything was read, as happens while guards wait for the
 * database. Returns the result.
 * @param sent the part of the body that arrives
 * @param length the Content-Length
 */
export async function readCutOffRequest<T>(
  headers: Record<string, string>,
  sent: Buffer,
  length: number,
  read: (request: IncomingMessage) => Promise<T>,
): Promise<T> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const arrived = once(server, 'request') as Promise<[IncomingMessage]>;
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const lines = Object.entries({ Host: 'a', 'Content-Length': String(length), ...headers });
    socket.write(`POST / HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
    socket.write(sent);
    const [request] = await arrived;
    const isWhole = sent.length >= length;
    while (request.complete !== isWhole) await delay(1);
    const closed = once(request, 'close').catch(() => undefined);
    socket.destroy();
    await closed;
    return await read(request);
  } finally {
    server.close();
  }
}
