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

  it('falls behind when its reader takes nothing, and keeps no more than one event for it', () => {
    const { stream, happened } = open();
    let told = 0;
    while (stream.tell(block)) told++;
    expect([stream.isLive, happened]).toEqual([false, ['behind']]);
    expect(told).toBeGreaterThan(0);
    const waiting = response.writableLength;
    for (let n = 0; n < 100; n++) expect(stream.tell(block)).toBe(false);
    expect(response.writableLength).toBe(waiting);
    expect(waiting).toBeLessThan(2 * block.length);
    expect(happened).toEqual(['behind']);
  });

  it('has room again once its reader has taken what was written', async () => {
    const { stream } = open();
    while (stream.tell(block));
    const room = stream.room();
    reader.resume();
    await room;
    expect(response.writableNeedDrain).toBe(false);
  });

  it('is cut when its reader has taken nothing from one heartbeat to the next, and only then', async () => {
    const { stream, happened } = open();
    stream.beat();
    stream.beat();
    expect(happened).toEqual([]);
    // Until the system takes no more for it either.
    for (let full = 0; full < 3;) {
      stream.isLive = true;
      full = stream.tell(block) ? 0 : full + 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    stream.beat();
    expect(stream.isClosed).toBe(false);
    stream.beat();
    await until('it is cut', () => happened.includes('stuck'));
    expect(stream.isClosed).toBe(true);
    stream.write('after the end');
    await stream.room();
  });

  it('that its reader leaves is closed, and not stuck', async () => {
    const { stream, happened } = open();
    reader.destroy();
    await until('it is closed', () => stream.isClosed);
    expect(happened).toEqual(['closed']);
    expect(stream.tell('x')).toBe(false);
  });
});
