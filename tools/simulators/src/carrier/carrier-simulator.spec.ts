/**
 * sms-api changes the SMPP library of its process; this client needs an unchanged one.
 *
 * @own-modules
 */
import { connect, PDU, type PduFields, type Session } from 'smpp';
import { CarrierSimulator } from './carrier-simulator';

const open: Session[] = [];
let carrier: CarrierSimulator;

beforeEach(async () => {
  carrier = new CarrierSimulator();
  await carrier.start();
});

afterEach(async () => {
  for (const session of open.splice(0)) session.destroy();
  await carrier.stop();
});

interface Client {
  session: Session;
  request(command: string, fields?: PduFields): Promise<PDU>;
  receipts: PDU[];
}

async function client(port = carrier.smppPort, answerReceipts = 0): Promise<Client> {
  const session = connect({ host: '127.0.0.1', port });
  session.on('error', () => undefined);
  open.push(session);
  const receipts: PDU[] = [];
  session.on('deliver_sm', (pdu: PDU) => {
    receipts.push(pdu);
    session.send(pdu.response({ command_status: receipts.length <= answerReceipts ? 0x64 : 0 }));
  });
  await new Promise((resolve) => session.once('connect', resolve));
  return {
    session,
    receipts,
    request: (command, fields) => new Promise((resolve) => session.send(new PDU(command, fields), resolve)),
  };
}

async function boundClient(answerReceipts = 0): Promise<Client> {
  const bound = await client(carrier.smppPort, answerReceipts);
  await bound.request('bind_transceiver', { system_id: 'esme', password: 'secret' });
  return bound;
}

async function until(condition: () => boolean, deadlineMs = 30_000): Promise<void> {
  const end = Date.now() + deadlineMs;
  while (!condition()) {
    if (Date.now() > end) throw new Error('The condition did not hold in time.');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it('row 23: the carrier simulator rejects binds that are not allowed; a transmitter submits and a receiver gets the receipts', async () => {
  const strict = new CarrierSimulator({ bindTypes: ['transmitter', 'receiver'] });
  await strict.start();
  const [transceiver, transmitter, receiver] = await Promise.all([1, 2, 3].map(() => client(strict.smppPort)));
  const bind = async (session: Client | undefined, command: string) =>
    (await session!.request(command, { system_id: 'esme', password: 'secret' })).command_status;
  expect(await bind(transceiver, 'bind_transceiver')).toBe(0x0d);
  expect(await bind(transmitter, 'bind_transmitter')).toBe(0);
  expect(await bind(receiver, 'bind_receiver')).toBe(0);
  expect((await receiver!.request('submit_sm', submit())).command_status).toBe(0x04);
  expect((await transmitter!.request('submit_sm', submit({ registered_delivery: 1 }))).command_status).toBe(0);
  await until(() => receiver!.receipts.length === 1);
  expect(transmitter!.receipts).toEqual([]);
  await strict.stop();
});

const submit = (fields: PduFields = {}): PduFields => ({
  source_addr: 'ACME',
  destination_addr: '919811111111',
  registered_delivery: 1,
  data_coding: 0,
  short_message: Buffer.from('hello'),
  ...fields,
});

describe('the carrier simulator', () => {
  it('accepts and stores a submit and sends a receipt with the same id', async () => {
    const { request, receipts } = await boundClient();
    const response = await request('submit_sm', submit());
    expect(response.command_status).toBe(0);
    await until(() => receipts.length === 1);
    expect(receipts[0]?.['receipted_message_id']).toBe(response['message_id']);
    expect(receipts[0]?.['message_state']).toBe(2);
    expect(carrier.messages('+91 98111 11111')).toEqual([
      expect.objectContaining({
        upstreamId: response['message_id'],
        source: 'ACME',
        destination: '919811111111',
        text: 'hello',
        parts: 1,
        flash: false,
        accepted: true,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      }),
    ]);
    expect(carrier.messages('100')).toEqual([]);
  });

  it('joins parts by their header in any order', async () => {
    const { request } = await boundClient();
    const part = (sequence: number, text: string) =>
      submit({
        esm_class: 0x40,
        short_message: Buffer.concat([Buffer.from([5, 0, 3, 7, 2, sequence]), Buffer.from(text)]),
      });
    await request('submit_sm', part(2, 'world'));
    const first = await request('submit_sm', part(1, 'hello '));
    expect(carrier.messages()).toEqual([
      expect.objectContaining({ text: 'hello world', parts: 2, upstreamId: first['message_id'] }),
    ]);
  });

  it('joins parts by SAR TLVs and parses a message payload', async () => {
    const { request } = await boundClient();
    const sar = (sequence: number, text: string) =>
      submit({
        short_message: Buffer.from(text),
        sar_msg_ref_num: 300,
        sar_total_segments: 2,
        sar_segment_seqnum: sequence,
      });
    await request('submit_sm', sar(1, 'one '));
    await request('submit_sm', sar(2, 'two'));
    const payload = Buffer.from('x'.repeat(300));
    await request('submit_sm', submit({ short_message: Buffer.alloc(0), message_payload: payload }));
    expect(carrier.messages().map(({ text, parts, tlvs }) => ({ text, parts, tlvs }))).toEqual([
      { text: 'one two', parts: 2, tlvs: {} },
      { text: 'x'.repeat(300), parts: 1, tlvs: {} },
    ]);
  });

  it('rejects and throttles individual recipients', async () => {
    const { request } = await boundClient();
    carrier.behave({ submit: 'reject' }, '+49 151 1');
    carrier.behave({ submit: 'throttle', commandStatus: 0x14 }, '491512');
    expect((await request('submit_sm', submit({ destination_addr: '491511' }))).command_status).toBe(0x0b);
    expect((await request('submit_sm', submit({ destination_addr: '491512' }))).command_status).toBe(0x14);
    expect((await request('submit_sm', submit())).command_status).toBe(0);
    expect(carrier.messages().map(({ accepted, upstreamId }) => [accepted, upstreamId === null])).toEqual([
      [false, true],
      [false, true],
      [true, false],
    ]);
  });

  it('sends duplicate receipts before the response, in text form only', async () => {
    const { session, request, receipts } = await boundClient();
    carrier.behave({ receipt: 'expired', receiptBeforeResponse: true, receiptTwice: true, receiptWithoutTlvs: true });
    const order: string[] = [];
    session.on('pdu', (pdu: PDU) => order.push(pdu.command));
    await request('submit_sm', submit());
    expect(order).toEqual(['deliver_sm', 'deliver_sm', 'submit_sm_resp']);
    const text = receipts[0]?.['short_message'] as { message: string };
    expect(text.message).toMatch(/^id:[0-9a-f]+ sub:001 dlvrd:000 submit date:\d{10} done date:\d{10} stat:EXPIRED/);
    expect(receipts[0]?.['receipted_message_id']).toBeUndefined();
  });

  it('sends the id of a receipt in decimal or padded notation', async () => {
    const { request, receipts } = await boundClient();
    carrier.behave({ receiptDelayMs: 0, receiptIdNotation: 'decimal' });
    const first = await request('submit_sm', submit());
    await until(() => receipts.length === 1);
    expect(receipts[0]?.['receipted_message_id']).toBe(BigInt(`0x${String(first['message_id'])}`).toString());
    carrier.behave({ receiptDelayMs: 0, receiptIdNotation: 'padded' });
    const second = await request('submit_sm', submit());
    await until(() => receipts.length === 2);
    expect(receipts[1]?.['receipted_message_id']).toBe(String(second['message_id']).padStart(20, '0'));
  });

  it('repeats a rejected receipt until it is accepted', async () => {
    const { request, receipts } = await boundClient(1);
    carrier.behave({ receiptDelayMs: 0 });
    await request('submit_sm', submit());
    await until(() => carrier.totals.receiptsAccepted === 1);
    expect(receipts).toHaveLength(2);
  });

  it('keeps the receipts of a disconnected account', async () => {
    const first = await boundClient();
    carrier.behave({ receiptDelayMs: 20 });
    await first.request('submit_sm', submit());
    carrier.disconnect();
    await until(() => carrier.totals.receiptsWaiting === 1);
    const second = await boundClient();
    await until(() => second.receipts.length === 1);
  });

  it('rejects submits before a bind, and invalid credentials', async () => {
    const { request } = await client();
    expect((await request('submit_sm', submit())).command_status).toBe(4);
    const strict = new CarrierSimulator({ accounts: { acme: 'right' } });
    await strict.start();
    const stranger = await client(strict.smppPort);
    const answer = await stranger.request('bind_transceiver', { system_id: 'acme', password: 'wrong' });
    expect(answer.command_status).toBe(0x0e);
    await strict.stop();
  });

  it('disconnects a client that sends an impossible PDU length', async () => {
    for (const length of [0, 15, 0xffffffff]) {
      const { session } = await boundClient();
      const closed = new Promise((resolve) => session.once('close', resolve));
      const head = Buffer.alloc(16);
      head.writeUInt32BE(length);
      session.socket.write(head);
      await closed;
    }
    const { request } = await boundClient();
    expect((await request('enquire_link')).command_status).toBe(0);
  });
});
