import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { until } from '@heliograph/testing';
import { EventStream } from './event-stream';

describe('an event stream', () => {
  let server: Server;
  let reader: Socket;
  let response: ServerResponse;
  beforeEach(async () => {
    const answered = new Promise<ServerResponse>((resolve) => {
      server = createServer((_request, fresh) => resolve(fresh));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
    reader.pause();
    reader.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    response = await answered;
  });
  afterEach(async () => {
    reader.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  function open() {
    const happened: string[] = [];
    const stream = new EventStream(response, 0, {
      behind: () => happened.push('behind'),
      closed: (wasStuck) => happened.push(wasStuck ? 'stuck' : 'closed'),
    });
    stream.open();
    stream.isLive = true;
    return { stream, happened };
  }
  const block = 'x'.repeat(1_000_000);

  it('is marked as lagging when the client does not read, and buffers at most one event', () => {
    const { stream, happened } = open();
    let written = 0;
    while (stream.send(block)) written++;
    expect([stream.isLive, happened]).toEqual([false, ['behind']]);
    expect(written).toBeGreaterThan(0);
    const waiting = response.writableLength;
    for (let n = 0; n < 100; n++) expect(stream.send(block)).toBe(false);
    expect(response.writableLength).toBe(waiting);
    expect(waiting).toBeLessThan(2 * block.length);
    expect(happened).toEqual(['behind']);
  });

  it('has capacity again after the client has read the written data', async () => {
    const { stream } = open();
    while (stream.send(block));
    const room = stream.room();
    reader.resume();
    await room;
    expect(response.writableNeedDrain).toBe(false);
  });

  it('is closed when the client reads nothing between two heartbeats, and only then', async () => {
    const { stream, happened } = open();
    stream.sendHeartbeat();
    stream.sendHeartbeat();
    expect(happened).toEqual([]);
    // Writes until the socket buffer is also full.
    for (let full = 0; full < 3;) {
      stream.isLive = true;
      full = stream.send(block) ? 0 : full + 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    stream.sendHeartbeat();
    expect(stream.isClosed).toBe(false);
    stream.sendHeartbeat();
    await until('the stream is closed', () => happened.includes('stuck'));
    expect(stream.isClosed).toBe(true);
    stream.write('after the end');
    await stream.room();
  });

  it('is closed when the client disconnects', async () => {
    const { stream, happened } = open();
    reader.destroy();
    await until('the stream is closed', () => stream.isClosed);
    expect(happened).toEqual(['closed']);
    expect(stream.send('x')).toBe(false);
  });
});
