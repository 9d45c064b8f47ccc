import { CarrierSimulator } from '@heliograph/simulators';
import fc from 'fast-check';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { createServer, type PDU, type Server, type Session } from 'smpp';
import type { SmppCarrierConfigInput } from '../carrier-config';
import { LANE, outboundSms, startCarrier, until, type CarrierFixture } from './carrier.fixture';

let simulator: CarrierSimulator;
let fixtures: CarrierFixture[];
let servers: Server[];

beforeEach(async () => {
  fixtures = [];
  servers = [];
  simulator = new CarrierSimulator();
  await simulator.start();
});

afterEach(async () => {
  await Promise.all(fixtures.map(({ carrier }) => carrier.stop()));
  for (const server of servers) {
    for (const session of [...server.sessions]) session.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
  await simulator.stop();
});

function start(config?: Partial<SmppCarrierConfigInput>, port = simulator.smppPort): CarrierFixture {
  const fixture = startCarrier(port, config);
  fixtures.push(fixture);
  return fixture;
}

/**
 * Starts a carrier that accepts every bind and handles the n-th submit according to the script: it responds with a
 * command status or closes the connection.
 */
async function scripted(script: (number | 'cut')[], onSession?: (session: Session) => void): Promise<number> {
  let next = 0;
  const server = createServer({}, (session) => {
    session.on('error', () => undefined);
    session.on('bind_transceiver', (pdu: PDU) => session.send(pdu.response()));
    session.on('unbind', (pdu: PDU) => session.send(pdu.response()));
    session.on('submit_sm', (pdu: PDU) => {
      const step = script[next] ?? 0;
      next += 1;
      if (step === 'cut') return session.destroy();
      session.send(pdu.response(step === 0 ? { message_id: `id${next}` } : { command_status: step }));
    });
    onSession?.(session);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const THREE_PARTS = { body: 'x'.repeat(400) };

describe('a failing connection', () => {
  it('makes outstanding submits uncertain and reconnects', async () => {
    simulator.behave({ submit: 'silent' });
    const { carrier, send } = start();
    const outcome = send();
    await until(() => simulator.messages().length === 1);
    simulator.disconnect();
    expect((await outcome).kind).toBe('uncertain');
    simulator.behaviours.reset();
    expect((await send()).kind).toBe('accepted');
    expect(carrier.metrics).toMatchObject({ bindsEstablished: 2, bindsLost: 1 });
  });

  it('returns unbound for messages that were not sent', async () => {
    const { carrier } = start({ reconnectMinMs: 3_600_000, reconnectMaxMs: 3_600_000 });
    expect(await carrier.acquire(LANE, 5_000)).toBe(true);
    simulator.disconnect();
    await until(() => !carrier.bound);
    expect(await carrier.submit(outboundSms())).toEqual({ kind: 'unbound' });
    expect(carrier.window.used).toBe(0);
  });

  it('is replaced if enquire_link is not answered', async () => {
    const { carrier, send } = start({ enquireLinkIntervalMs: 20, responseTimeoutMs: 1_000 });
    await until(() => carrier.bound);
    simulator.hang();
    await until(() => carrier.metrics.bindsLost === 1);
    expect((await send()).kind).toBe('accepted');
  });

  it('remains open while enquire_link is answered', async () => {
    const { carrier } = start({ enquireLinkIntervalMs: 10, responseTimeoutMs: 500 });
    await until(() => carrier.bound);
    const endMs = performance.now() + 1_500;
    await until(() => performance.now() > endMs);
    expect(carrier.metrics).toMatchObject({ bindsEstablished: 1, bindsLost: 0 });
  });

  it('closes when the carrier unbinds, and reconnects', async () => {
    const { carrier, send } = start();
    await until(() => carrier.bound);
    simulator.unbind();
    await until(() => carrier.metrics.bindsLost === 1);
    expect((await send()).kind).toBe('accepted');
  });

  it('is retried if the carrier rejects the bind', async () => {
    const strict = new CarrierSimulator({ accounts: { acme: 'other' } });
    await strict.start();
    const { carrier } = start({}, strict.smppPort);
    await until(() => carrier.metrics.bindsLost >= 3);
    expect(carrier.bound).toBe(false);
    await carrier.stop();
    await strict.stop();
  });

  it('is retried if the bind receives no response', async () => {
    const sockets: Socket[] = [];
    const mute = createTcpServer((socket) => sockets.push(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { carrier } = start({ responseTimeoutMs: 30 }, (mute.address() as AddressInfo).port);
    await until(() => carrier.metrics.bindsLost >= 2);
    await carrier.stop();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => mute.close(resolve));
  });

  it('does not affect the other binds', async () => {
    const { carrier, send } = start({ binds: 4, reconnectMinMs: 60_000, reconnectMaxMs: 60_000 });
    await until(() => carrier.bindsUp === 4);
    simulator.disconnect(1);
    await until(() => carrier.bindsUp === 3);
    const outcomes = await Promise.all(Array.from({ length: 500 }, () => send()));
    expect(outcomes.every(({ kind }) => kind === 'accepted')).toBe(true);
    expect(simulator.totals.acceptedParts).toBe(500);
  });
});

describe('malformed PDUs', () => {
  const pdu = (length: number, command: number, ...body: number[]) => {
    const head = Buffer.alloc(16);
    head.writeUInt32BE(length, 0);
    head.writeUInt32BE(command, 4);
    head.writeUInt32BE(1, 12);
    return Buffer.concat([head, Buffer.from(body)]);
  };

  it.each([
    ['a length of 0', pdu(0, 0x15)],
    ['a length of 4', pdu(4, 0x15)],
    ['a length of 8', pdu(8, 0x15)],
    ['a length of 15', pdu(15, 0x15)],
    ['a length of 4 GB', pdu(0xffffffff, 0x15)],
    ['a TLV without its required byte', pdu(16 + 17 + 4, 0x05, ...Array<number>(17).fill(0), 0x02, 0x0e, 0, 0)],
    ['HTML', Buffer.from('<html><body>Bad gateway</body></html>')],
  ])('with %s close only the connection', async (_what, octets) => {
    const { carrier, send } = start();
    await until(() => carrier.bound);
    simulator.sendRaw(octets);
    await until(() => carrier.metrics.malformedPdus === 1);
    expect((await send()).kind).toBe('accepted');
  });

  it('are ignored if truncated by a closed connection', async () => {
    const { carrier, send } = start();
    await until(() => carrier.bound);
    simulator.sendRaw(pdu(100, 0x05, 0, 1, 1));
    simulator.disconnect();
    await until(() => carrier.metrics.bindsLost === 1);
    expect(carrier.metrics.inboundMessages).toBe(0);
    expect((await send()).kind).toBe('accepted');
  });

  it('with arbitrary bytes do not crash the process', async () => {
    const { carrier, send } = start();
    const octets = fc.uint8Array({ minLength: 1, maxLength: 400 });
    const heads = fc.tuple(fc.nat(64), fc.constantFrom(0x05, 0x103, 0x80000004, 0x15, 0x102, 0x21, 0x80000000));
    await fc.assert(
      fc.asyncProperty(octets, heads, async (junk, [length, command]) => {
        await until(() => carrier.bound);
        const lost = carrier.metrics.bindsLost;
        simulator.sendRaw(Buffer.concat([pdu(16 + length, command), junk]));
        simulator.disconnect();
        await until(() => carrier.metrics.bindsLost > lost);
      }),
      { numRuns: 40 },
    );
    expect((await send()).kind).toBe('accepted');
  });

  it('with an unknown command or an overlong TLV do not crash the process', async () => {
    const { carrier, send } = start();
    await until(() => carrier.bound);
    simulator.sendRaw(pdu(16, 0x7777));
    simulator.sendRaw(pdu(16, 0x80000004));
    simulator.sendRaw(pdu(17, 0x05, 0));
    // All mandatory fields of a deliver_sm, then a receipted_message_id with a declared length of 65,535 octets.
    simulator.sendRaw(pdu(16 + 17 + 5, 0x05, ...Array<number>(17).fill(0), 0x00, 0x1e, 0xff, 0xff, 0x41));
    await until(() => carrier.metrics.inboundMessages === 2);
    expect(carrier.metrics.lateAnswers).toBe(1);
    expect((await send()).kind).toBe('accepted');
    expect(carrier.metrics.bindsLost).toBe(0);
  });
});

describe('a carrier that cannot be reached', () => {
  /** Starts a server that handles its connections with `onConnection`. Returns its port. */
  async function listen(onConnection: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>();
    const server = createTcpServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      onConnection(socket);
    });
    closing.push(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));
  const freePort = async (): Promise<number> => {
    const port = await listen(() => undefined);
    await Promise.all(closing.splice(0).map((close) => close()));
    return port;
  };
  const silent = () => listen(() => undefined);

  it.each<[string, Partial<SmppCarrierConfigInput>, () => Promise<number>, string, RegExp]>([
    ['refuses the connection', {}, freePort, 'connection_refused', /the carrier refused the connection/],
    ['refuses the connection on every address', { host: 'localhost' }, freePort, 'connection_refused', /ECONNREFUSED/],
    ['has an unknown host name', { host: 'carrier.invalid' }, freePort, 'dns', /host name .* cannot be resolved/],
    ['is silent', { responseTimeoutMs: 50 }, silent, 'no_response', /no response to the transceiver bind request/],
    ['is silent during the TLS handshake', { tls: true, connectTimeoutMs: 100 }, silent, 'tls', /handshake timed out/],
    ['does not speak TLS', { tls: true }, () => listen((socket) => socket.write('hello')), 'tls', /handshake failed/],
    ['closes during the TLS handshake', { tls: true }, () => listen((socket) => socket.end()), 'tls', /TLS/],
    ['closes at once', {}, () => listen((socket) => socket.end()), 'closed', /closed the connection/],
  ])('that %s is reported with the reason', async (_, config, port, kind, reason) => {
    const { carrier } = start(config, await port());
    await until(() => carrier.metrics.bindsLost > 0);
    const counted = Object.entries(carrier.metrics.connectionFailures).filter(([, count]) => count > 0);
    expect(counted.map(([label]) => label)).toEqual([kind]);
    expect(carrier.problem).toMatch(/^no transceiver is bound: /);
    expect(carrier.problem).toMatch(reason);
  });

  it('is reported without a reason once it is bound', async () => {
    const port = await freePort();
    const { carrier } = start({}, port);
    await until(() => carrier.metrics.connectionFailures.connection_refused > 0);
    const late = new CarrierSimulator({ smppPort: port });
    await late.start();
    closing.push(() => late.stop());
    await until(() => carrier.bound);
    expect(carrier.problem).toBeNull();
  });
});

describe('a multipart message', () => {
  it('is throttled if its first part is throttled', async () => {
    const { send } = start({}, await scripted([0x58]));
    expect(await send(THREE_PARTS)).toEqual({ kind: 'throttled', commandStatus: 0x58 });
  });

  it('retries a later part that is throttled', async () => {
    const { send, carrier } = start({}, await scripted([0, 0x58, 0x14, 0, 0]));
    const at = expect.any(Date) as Date;
    expect(await send(THREE_PARTS)).toEqual({
      kind: 'accepted',
      upstreamIds: ['id1', 'id4', 'id5'],
      throttledParts: [
        { at, part: 2, commandStatus: 0x58 },
        { at, part: 2, commandStatus: 0x14 },
      ],
    });
    expect(carrier.metrics.partsWritten).toBe(5);
  });

  it('is uncertain if a later part remains throttled', async () => {
    const { send } = start({ responseTimeoutMs: 400 }, await scripted([0, 0x58, 0x58, 0x58, 0x58]));
    expect((await send(THREE_PARTS)).kind).toBe('uncertain');
  });

  it('is uncertain if its later parts cannot be sent in time', async () => {
    const { send, carrier } = start({ throughputPerSecond: 1, multipartTimeoutMs: 100 }, await scripted([]));
    expect((await send(THREE_PARTS)).kind).toBe('uncertain');
    expect(carrier.metrics.partsWritten).toBe(1);
  });

  it('is refused if a later part is refused, and the error names the part', async () => {
    const { send } = start({}, await scripted([0, 0, 0x45]));
    const outcome = await send(THREE_PARTS);
    expect(outcome).toMatchObject({ kind: 'refused', commandStatus: 0x45, upstreamIds: ['id1', 'id2'] });
    expect(outcome.kind === 'refused' && outcome.reason).toContain('part 3 of 3');
  });

  it('is uncertain if the connection closes between parts', async () => {
    const { send } = start({}, await scripted([0, 'cut']));
    expect((await send(THREE_PARTS)).kind).toBe('uncertain');
  });
});

describe('stop', () => {
  it('waits for outstanding submits, unbinds and grants no more slots', async () => {
    const unbound: string[] = [];
    const port = await scripted([], (session) => session.on('unbind', () => unbound.push('unbind')));
    const { carrier } = start({ stopTimeoutMs: 5_000, windowSize: 1 }, port);
    expect(await carrier.acquire(LANE, 5_000)).toBe(true);
    const waiting = carrier.acquire(LANE, 5_000);
    const stopped = carrier.stop();
    expect(await waiting).toBe(false);
    expect((await carrier.submit(outboundSms())).kind).toBe('accepted');
    await stopped;
    expect(unbound).toEqual(['unbind']);
    expect(await carrier.acquire(LANE, 1_000)).toBe(false);
    expect(carrier.bound).toBe(false);
  });

  it('completes within its timeout if the carrier does not respond', async () => {
    simulator.behave({ submit: 'silent' });
    const { carrier, send } = start({ stopTimeoutMs: 50 });
    const outcome = send();
    await until(() => simulator.messages().length === 1);
    simulator.hang();
    await carrier.stop();
    expect((await outcome).kind).toBe('uncertain');
  });
});
