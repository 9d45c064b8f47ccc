import { Registry } from 'prom-client';
import type { ReceiptState } from '../carriers/carrier';
import { MessagesFixture } from '../sending/messages.fixture';
import { SubmitsRepository } from '../sending/submits.repository';
import { ReceiptsService } from './receipts.service';

describe('a delivery receipt', () => {
  let messages: MessagesFixture;
  let submits: SubmitsRepository;
  let receipts: ReceiptsService;
  beforeAll(async () => {
    messages = await MessagesFixture.start();
    submits = new SubmitsRepository(messages.pool);
    receipts = new ReceiptsService(messages.pool, new Registry());
  });
  afterAll(() => messages.stop());

  const sent = async (...ids: string[]): Promise<string> => {
    const id = await messages.message();
    await submits.record(messages.outcome(id, 'sent', { upstream_ids: ids }));
    return id;
  };
  const receive = (upstreamId: string, state: ReceiptState, carrier = 'one'): Promise<void> =>
    receipts.record({ carrier, upstreamId, state, errorCode: null, doneAt: null, receivedAt: new Date() });

  it.each<[ReceiptState, ReceiptState, string]>([
    ['delivered', 'expired', 'delivered'],
    ['expired', 'delivered', 'failed'],
  ])('of the state %s is final: a later one of the state %s changes nothing', async (first, second, status) => {
    const id = await sent(`final-${first}`);
    await receive(`final-${first}`, first);
    await receive(`final-${first}`, second);
    expect(await messages.statusOf(id)).toBe(status);
  });

  it('of one of several parts does not deliver the message before those of the others', async () => {
    const id = await sent('part-1', 'part-2', 'part-3');
    await receive('part-1', 'delivered');
    await receive('part-1', 'delivered');
    await receive('part-2', 'delivered');
    expect(await messages.statusOf(id)).toBe('sent');
    await receive('part-3', 'delivered');
    expect(await messages.statusOf(id)).toBe('delivered');
  });

  it('of one of several parts fails the message', async () => {
    const id = await sent('lost-1', 'lost-2');
    await receive('lost-1', 'delivered');
    await receive('lost-2', 'undeliverable');
    expect(await messages.statusOf(id)).toBe('failed');
  });

  it('with an error code that PostgreSQL does not accept is recorded', async () => {
    const id = await sent('odd-code');
    const receipt = { carrier: 'one', upstreamId: 'odd-code', state: 'rejected' as const, doneAt: null };
    await receipts.record({ ...receipt, errorCode: '00\x001', receivedAt: new Date() });
    expect(await messages.statusOf(id)).toBe('failed');
  });

  it('of another carrier with the same id waits for its own message', async () => {
    const id = await sent('same');
    await receive('same', 'rejected', 'two');
    expect(await messages.statusOf(id)).toBe('sent');
    const { rows } = await messages.pool.query(`SELECT carrier FROM sms.unmatched_receipts WHERE upstream_id = 'same'`);
    expect(rows).toEqual([{ carrier: 'two' }]);
  });

  it('with an id that the carrier has used again belongs to the newest message', async () => {
    const [older, newer] = [await sent('again'), await sent('again')];
    await receive('again', 'delivered');
    expect([await messages.statusOf(older), await messages.statusOf(newer)]).toEqual(['sent', 'delivered']);
  });
});
