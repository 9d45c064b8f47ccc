import { Registry } from 'prom-client';
import { smppCarrierConfig } from '../carriers/carrier-config';
import { SmppCarrier } from '../carriers/smpp/smpp-carrier';
import type { ReceiptIdNotation } from '../carriers/smpp/receipts/upstream-id';
import { MessagesFixture } from '../sending/messages.fixture';
import { SubmitsRepository } from '../sending/submits.repository';
import { ReceiptLag } from './receipt-lag';
import { UnconvertedReceiptsService } from './unconverted-receipts.service';
import { UnmatchedReceiptsService } from './unmatched-receipts.service';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('a receipt that was stored before its process detected the notation', () => {
  let messages: MessagesFixture;
  let submits: SubmitsRepository;
  const lag = new ReceiptLag(new Registry());
  beforeAll(async () => {
    messages = await MessagesFixture.start();
    submits = new SubmitsRepository(messages.commits, lag);
  });
  afterAll(() => messages.stop());
  afterEach(() => messages.pool.query('TRUNCATE sms.unmatched_receipts, sms.parts'));

  const sent = async (upstreamId: string, secondsAgo = 300, carrier = 'one'): Promise<string> => {
    const id = await messages.message();
    const at = new Date(Date.now() - secondsAgo * 1_000).toISOString();
    await submits.record(messages.outcome(id, 'sent', { upstream_ids: [upstreamId], carrier, at }), messages.lane);
    return id;
  };
  const store = (upstreamId: string, secondsAgo = 280, carrier = 'one') =>
    messages.pool.query(
      `INSERT INTO sms.unmatched_receipts (carrier, upstream_id, state, done_at, received_at)
       VALUES ($1, $2, 'delivered', now(), now() - $3 * interval '1 second')`,
      [carrier, upstreamId, secondsAgo],
    );
  /** Runs the tasks of a new process, whose carrier has the given configuration. */
  const match = async (receiptIdNotation: ReceiptIdNotation = 'auto'): Promise<void> => {
    const config = smppCarrierConfig.parse({ name: 'one', host: 'localhost', systemId: 'acme', receiptIdNotation });
    await runTasks({ carriers: [new SmppCarrier(config, LOG)] });
  };
  /** Runs the tasks of a process that has detected the notation. */
  const matchDetected = (storedReceiptIdNotation: ReceiptIdNotation): Promise<void> =>
    runTasks({
      carriers: [{ name: 'one', storedReceiptIdNotation, longestSubmitMs: 80_000, receiptIdConversions: [] }],
    });
  const runTasks = async (carriers: object): Promise<void> => {
    await new UnconvertedReceiptsService(messages.pool, carriers as never).convert();
    const days = { SMS_RECEIPT_DAYS: 7 };
    await new UnmatchedReceiptsService(messages.pool, carriers as never, days, lag, LOG, new Registry()).match();
  };

  it.each([
    ['1a2b', '6699'],
    ['6699', '1a2b'],
  ])('is matched after a restart: response id %s, receipt id %s', async (response, receipt) => {
    const id = await sent(response);
    await store(receipt);
    await match();
    expect(await messages.statusOf(id)).toBe('delivered');
  });

  it('is matched among more receipts than one batch contains', async () => {
    await messages.pool.query(
      `INSERT INTO sms.unmatched_receipts (carrier, upstream_id, state, done_at, received_at)
       SELECT 'one', 'other-' || n, 'delivered', now(), now() - interval '1 day' FROM generate_series(1, 1000) AS n`,
    );
    const id = await sent('1a2b');
    await store('6699');
    await match();
    expect(await messages.statusOf(id)).toBe('delivered');
  });

  it.each([300, DAY])('is not matched while it may belong to two messages, one sent %i s ago', async (secondsAgo) => {
    // Decimal 26 is hexadecimal 1a, and hexadecimal 26 is decimal 38.
    const first = await sent('1a');
    const second = await sent('38', secondsAgo);
    await store('26');
    await match();
    expect([await messages.statusOf(first), await messages.statusOf(second)]).toEqual(['sent', 'sent']);
    await matchDetected('hex-response-decimal-receipt');
    expect([await messages.statusOf(first), await messages.statusOf(second)]).toEqual(['delivered', 'sent']);
  });

  it.each([
    ['the notation is configured', () => match('same')],
    ['the notation was detected as the same', () => matchDetected('same')],
    ['another notation was detected', () => matchDetected('decimal-response-hex-receipt')],
  ])('is not matched if %s', async (_, run) => {
    const id = await sent('1a2b');
    await store('6699');
    await run();
    expect(await messages.statusOf(id)).toBe('sent');
  });

  it.each([
    ['one', 'two'],
    ['two', 'one'],
  ])('is not matched if its message is from carrier %s and it is from carrier %s', async (carrier, other) => {
    const id = await sent('1a2b', 300, carrier);
    await store('6699', 280, other);
    await match();
    expect(await messages.statusOf(id)).toBe('sent');
    const { rows } = await messages.pool.query('SELECT carrier, upstream_id FROM sms.unmatched_receipts');
    expect(rows).toEqual([{ carrier: other, upstream_id: '6699' }]);
  });

  it.each([
    ['it may have arrived before its submit was stored', 80, 60],
    ['the message was submitted after it', 300, DAY],
    ['the message was submitted long before it', DAY, 280],
  ])('is not matched after a restart if %s', async (_, submitSecondsAgo, receiptSecondsAgo) => {
    const id = await sent('1a2b', submitSecondsAgo);
    await store('6699', receiptSecondsAgo);
    await match();
    expect(await messages.statusOf(id)).toBe('sent');
  });

  it('is matched with an old message if the notation is detected', async () => {
    const id = await sent('1a2b', DAY);
    await store('6699', 2 * HOUR);
    await matchDetected('hex-response-decimal-receipt');
    expect(await messages.statusOf(id)).toBe('delivered');
  });
});
