import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { discardUnreadBody } from './discard-rest';

const MB = 1_000_000;

describe('the rest of a body after the response', () => {
  let server: Server;
  let respond: RequestListener;
  let received: IncomingMessage;
  beforeEach(async () => {
    server = createServer((request, response) => {
      received = request;
      discardUnreadBody(request, response);
      respond(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    respond = (_request, response) => void response.writeHead(413, { 'content-length': 7 }).end('refused');
  });
  afterEach(() => {
    jest.useRealTimers();
    server.closeAllConnections();
    server.close();
  });

  const open = async (headers: string): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`POST / HTTP/1.1\r\nHost: h\r\n${headers}\r\n\r\n`);
    return socket;
  };
  /** Writes the whole body, as Python's requests and Java do, and reads the response afterwards. */
  const writeThenRead = async (headers: string, bytes: number): Promise<string> => {
    const socket = await open(`Content-Length: ${bytes}\r\n${headers}`);
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.write(Buffer.alloc(bytes), (error) => (error ? reject(error) : resolve()));
    });
    socket.end();
    return (await buffer(socket)).toString();
  };

  it.each([
    ['keeps the connection', 'Connection: keep-alive'],
    ['closes the connection', 'Connection: close'],
  ])('is read for a client that writes 32 MB before it reads and %s', async (_, headers) => {
    expect(await writeThenRead(headers, 32 * MB)).toMatch(/^HTTP\/1.1 413 [^]*refused$/);
  });

  it('is read if the service read only a part of the body', async () => {
    respond = (request, response) => {
      request.once('data', () => {
        request.pause();
        response.writeHead(413, { 'content-length': 7 }).end('refused');
      });
    };
    expect(await writeThenRead('Connection: keep-alive', 32 * MB)).toContain('refused');
  });

  it('leaves the connection usable', async () => {
    const socket = await open('Content-Length: 5000000');
    socket.write(Buffer.alloc(5 * MB));
    socket.write('POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    expect((await buffer(socket)).toString().match(/refused/g)).toHaveLength(2);
  });

  it('sends the response before the client has sent the rest', async () => {
    for (const connection of ['keep-alive', 'close']) {
      const socket = await open(`Content-Length: 1000\r\nConnection: ${connection}`);
      const [data] = (await once(socket, 'data')) as [Buffer];
      expect(data.toString()).toContain('413');
      socket.destroy();
    }
  });

  /** A client that has sent a part of its body and has read the response. */
  const sending = async (): Promise<Socket> => {
    const socket = await open('Content-Length: 1000000');
    socket.on('error', () => undefined);
    await once(socket, 'data');
    return socket;
  };
  const fakeTimers = (): void =>
    void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

  it('is not awaited if the client stops sending', async () => {
    fakeTimers();
    const socket = await sending();
    jest.advanceTimersByTime(5_000);
    await turn();
    expect(received.destroyed).toBe(true);
    socket.destroy();
  });

  it('is awaited while the client sends, for at most half a minute', async () => {
    fakeTimers();
    const now = jest.spyOn(performance, 'now');
    const startedAt = performance.now();
    now.mockReturnValue(startedAt);
    const socket = await sending();
    const sendAt = async (second: number): Promise<void> => {
      now.mockReturnValue(startedAt + second * 1_000);
      received.emit('data', Buffer.from('x'));
      jest.advanceTimersByTime(5_000);
      await turn();
    };
    for (const second of [5, 10, 15, 20, 25]) await sendAt(second);
    expect(received.destroyed).toBe(false);
    await sendAt(31);
    expect(received.destroyed).toBe(true);
    now.mockRestore();
    socket.destroy();
  });
});
