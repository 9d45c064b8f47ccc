import { CarrierSimulator } from '@heliograph/simulators';
import { LANE, startCarrier, until, type CarrierFixture } from './carrier.fixture';
import type { SmppCarrierConfigInput } from '../carrier-config';
import type { ReceiptSink } from '../carrier';

let simulator: CarrierSimulator;
let fixtures: CarrierFixture[];

beforeEach(async () => {
  fixtures = [];
  simulator = new CarrierSimulator();
  await simulator.start();
});

afterEach(async () => {
  await Promise.all(fixtures.map(({ carrier }) => carrier.stop()));
  await simulator.stop();
});

function start(config?: Partial<SmppCarrierConfigInput>, sink?: ReceiptSink): CarrierFixture {
  const fixture = startCarrier(simulator.smppPort, config, sink);
  fixtures.push(fixture);
  return fixture;
}

const LONG = 'Ünïcode is not here, but {brackets} and € are. '.replace('ï', 'i').repeat(9);

describe('submit', () => {
  it('submits a message and returns the id used in its receipt', async () => {
    const { send, receipts } = start();
    const outcome = await send({ body: 'Hi @ {all} for 5 €' });
    const [message] = simulator.messages();
    expect(outcome).toEqual({ kind: 'accepted', upstreamIds: [message?.upstreamId] });
    expect(message).toMatchObject({ source: 'ACMEIN', text: 'Hi @ {all} for 5 €', dataCoding: 0, parts: 1, tlvs: {} });
    await until(() => receipts.length === 1);
    expect(receipts[0]).toMatchObject({ carrier: 'one', upstreamId: message?.upstreamId, state: 'delivered' });
    expect(receipts[0]?.doneAt).toBeInstanceOf(Date);
  });

  it.each(['udh', 'sar'] as const)(
    'sends a long message in parts with %s and returns one id per part',
    async (longMessage) => {
      const { send, receipts } = start({ longMessage });
      const outcome = await send({ body: LONG });
      const [message] = simulator.messages();
      expect(message).toMatchObject({ text: LONG, parts: 3 });
      expect(outcome.kind === 'accepted' && outcome.upstreamIds).toHaveLength(3);
      await until(() => receipts.length === 3);
      const ids = receipts.map(({ upstreamId }) => upstreamId).sort();
      expect(outcome).toEqual({ kind: 'accepted', upstreamIds: ids });
    },
  );

  it('sends a long message as one payload and returns one id', async () => {
    const { send } = start({ longMessage: 'payload' });
    const body = '😀 '.repeat(2_000);
    const outcome = await send({ body, encoding: 'ucs-2' });
    expect(outcome.kind === 'accepted' && outcome.upstreamIds).toHaveLength(1);
    expect(simulator.messages()).toEqual([expect.objectContaining({ text: body, parts: 1, dataCoding: 8 })]);
  });

  it('uses distinct references for the parts of different messages', async () => {
    const { send } = start({ binds: 3 });
    const bodies = Array.from({ length: 40 }, (_, index) => `${index} ${LONG}`);
    await Promise.all(bodies.map((body) => send({ body })));
    const texts = simulator.messages().map(({ text }) => text);
    expect(texts.sort()).toEqual([...bodies].sort());
  });

  it.each(['data-coding', 'dest-addr-subunit'] as const)('marks flash messages with %s', async (flash) => {
    const { send } = start({ flash });
    await send({ flash: true, body: 'жук', encoding: 'ucs-2' });
    await send({ flash: false });
    expect(simulator.messages().map((message) => [message.text, message.flash])).toEqual([
      ['жук', true],
      ['hello', false],
    ]);
  });

  it('sends a long flash message in the default alphabet with the data coding 0xF0', async () => {
    const { send } = start();
    await send({ flash: true, body: LONG });
    expect(simulator.messages()).toEqual([
      expect.objectContaining({ text: LONG, parts: 3, dataCoding: 0xf0, flash: true }),
    ]);
  });

  it.each(['octet-string', 'c-octet-string'] as const)('sends DLT ids as %s', async (format) => {
    const { send } = start({ dltTags: { format, chain: '0x1405', chainValue: '1101,1202' } });
    await send({ dltEntityId: '1101000000000000001', dltTemplateId: '1107000000000000001' });
    await send({ destination: '491511234567' });
    expect(simulator.messages().map(({ tlvs }) => tlvs)).toEqual([
      { '0x1400': '1101000000000000001', '0x1401': '1107000000000000001', '0x1405': '1101,1202' },
      {},
    ]);
  });

  it('returns the command status of a rejected message', async () => {
    simulator.behave({ submit: 'reject' });
    const { send, carrier } = start();
    const outcome = await send();
    expect(outcome).toMatchObject({ kind: 'refused', commandStatus: 0x0b });
    expect(outcome.kind === 'refused' && outcome.reason).toContain('invalid destination address');
    expect(carrier.metrics.submits).toMatchObject({ refused: 1, accepted: 0 });
  });

  it('rejects a message that cannot be encoded and continues', async () => {
    const { send } = start();
    expect((await send({ source: 'A\0B' })).kind).toBe('refused');
    expect((await send({ destination: '4'.repeat(21) })).kind).toBe('refused');
    expect((await send()).kind).toBe('accepted');
  });

  it.each([0x58, 0x14, 0x08])('reports status %i as throttled and pauses', async (commandStatus) => {
    simulator.behave({ submit: 'throttle', commandStatus });
    const { send, carrier } = start();
    expect(await send()).toEqual({ kind: 'throttled', commandStatus });
    expect(await carrier.acquire(LANE, 0)).toBe(false);
    simulator.behaviours.reset();
    const before = performance.now();
    expect((await send()).kind).toBe('accepted');
    expect(performance.now() - before).toBeGreaterThan(150);
  });

  it('is uncertain if no response arrives', async () => {
    simulator.behave({ submit: 'silent' });
    const { send, carrier } = start({ responseTimeoutMs: 1_000 });
    const outcome = await send();
    expect(outcome.kind).toBe('uncertain');
    expect(carrier.window.used).toBe(0);
    simulator.behaviours.reset();
    expect((await send()).kind).toBe('accepted');
  });
});

describe('receipts', () => {
  it.each([
    ['delivered', 'delivered'],
    ['undeliverable', 'undeliverable'],
    ['expired', 'expired'],
    ['rejected', 'rejected'],
  ] as const)('with the state %s are reported as %s, with and without TLVs', async (receipt, state) => {
    const { send, receipts } = start();
    for (const receiptWithoutTlvs of [false, true]) {
      simulator.behave({ receipt, receiptWithoutTlvs, receiptDelayMs: 0 });
      const outcome = await send();
      await until(() => receipts.length === 1);
      expect(outcome).toEqual({ kind: 'accepted', upstreamIds: [receipts[0]?.upstreamId] });
      expect(receipts.pop()?.state).toBe(state);
    }
  });

  it('match their message if the ids are decimal', async () => {
    const { send, receipts } = start({ receiptIdNotation: 'hex-response-decimal-receipt' });
    for (const receiptWithoutTlvs of [false, true]) {
      simulator.behave({ receiptIdNotation: 'decimal', receiptWithoutTlvs, receiptDelayMs: 0 });
      const outcome = await send();
      await until(() => receipts.length === 1);
      expect(outcome).toEqual({ kind: 'accepted', upstreamIds: [receipts.pop()?.upstreamId] });
    }
  });

  it('match their message if the ids are padded', async () => {
    const { send, receipts } = start();
    simulator.behave({ receiptIdNotation: 'padded', receiptDelayMs: 0 });
    const outcome = await send();
    await until(() => receipts.length === 1);
    expect(outcome).toEqual({ kind: 'accepted', upstreamIds: [receipts[0]?.upstreamId] });
  });

  it('may be duplicated and arrive before the response', async () => {
    simulator.behave({ receiptBeforeResponse: true, receiptTwice: true });
    const { send, receipts } = start();
    const outcome = await send();
    await until(() => receipts.length === 2);
    const id = outcome.kind === 'accepted' ? outcome.upstreamIds[0] : '';
    expect(receipts.map(({ upstreamId }) => upstreamId)).toEqual([id, id]);
  });

  it('are redelivered if they cannot be stored, and acknowledged when they are stored', async () => {
    let failures = 2;
    const stored: string[] = [];
    const { send, carrier } = start({}, async ({ upstreamId }) => {
      if (failures > 0) {
        failures -= 1;
        throw new Error('the database is unavailable');
      }
      stored.push(upstreamId);
    });
    const outcome = await send();
    await until(() => simulator.totals.receiptsAccepted === 1);
    expect(outcome).toEqual({ kind: 'accepted', upstreamIds: stored });
    expect(carrier.metrics).toMatchObject({ receiptsDeferred: 2, receipts: { delivered: 1 } });
  });

  it('are not acknowledged before the sink resolves', async () => {
    let finish: () => void = () => undefined;
    const { send } = start({}, () => new Promise((resolve) => (finish = resolve)));
    simulator.behave({ receiptBeforeResponse: true });
    await send();
    await send();
    expect(simulator.totals).toMatchObject({ receiptsSent: 2, receiptsAccepted: 0 });
    finish();
    await until(() => simulator.totals.receiptsAccepted === 1);
  });
});

describe('the window', () => {
  it('limits outstanding submits over all binds and grants slots in FIFO order', async () => {
    simulator.behave({ submit: 'silent' });
    const { carrier, send } = start({ binds: 2, windowSize: 2, responseTimeoutMs: 1_500 });
    await until(() => carrier.bindsUp === 2);
    expect(carrier.window).toEqual({ used: 0, size: 4 });
    const silent = Array.from({ length: 4 }, () => send());
    await until(() => carrier.metrics.partsWritten === 4);
    expect(await carrier.acquire(LANE, 0)).toBe(false);
    expect(await carrier.acquire(LANE, 20)).toBe(false);
    expect(carrier.window).toEqual({ used: 4, size: 4 });
    const next = await carrier.acquire(LANE, 5_000);
    expect(next).toBe(true);
    carrier.release();
    expect((await Promise.all(silent)).map(({ kind }) => kind)).toEqual(Array(4).fill('uncertain'));
    expect(carrier.window.used).toBe(0);
  });

  it('enforces the throughput, counting parts', async () => {
    const { send, carrier } = start({ throughputPerSecond: 40 });
    const before = performance.now();
    await Promise.all(Array.from({ length: 8 }, () => send({ body: LONG })));
    const seconds = (performance.now() - before) / 1_000;
    expect(carrier.metrics.partsWritten).toBe(24);
    expect(24 / seconds).toBeLessThan(60);
  });

  it('grants no slot without a bind', async () => {
    const { smppPort } = simulator;
    await simulator.stop();
    const fixture = startCarrier(smppPort);
    fixtures.push(fixture);
    expect(fixture.carrier.bound).toBe(false);
    expect(await fixture.carrier.acquire(LANE, 30)).toBe(false);
  });
});
