import { Tracing } from '@heliograph/service-kit';
import { Registry } from 'prom-client';
import type { ReceiptState } from '../carriers/carrier';
import { MessagesFixture } from '../sending/messages.fixture';
import { SubmitsRepository } from '../sending/submits.repository';
import { PartialDeliveriesService } from './partial-deliveries.service';
import { ReceiptLag } from './receipt-lag';
import { ReceiptsService } from './receipts.service';

describe('a delivery receipt', () => {
  let messages: MessagesFixture;
  let submits: SubmitsRepository;
  let receipts: ReceiptsService;
  const registry = new Registry();
  beforeAll(async () => {
    messages = await MessagesFixture.start();
    const lag = new ReceiptLag(registry);
    submits = new SubmitsRepository(messages.commits, lag);
    receipts = new ReceiptsService(messages.pool, lag, new Tracing(null));
  });
  afterAll(() => messages.stop());

  const sent = async (...ids: string[]): Promise<string> => {
    const id = await messages.message();
    await submits.record(messages.outcome(id, 'sent', { upstream_ids: ids }), messages.lane);
    return id;
  };
  const receive = (upstreamId: string, state: ReceiptState, carrier = 'one'): Promise<void> =>
    receipts.record({ carrier, upstreamId, state, errorCode: null, doneAt: null, receivedAt: new Date() });

  /** The seconds from the submit to the delivery, and from the delivery to now. */
  const times = async (id: string): Promise<{ latency: number; age: number }> => {
    const { rows } = await messages.pool.query<{ latency: number; age: number }>(
      `SELECT extract(epoch FROM finished_at - sent_at)::float AS latency, extract(epoch FROM now() - finished_at)::float AS age
       FROM sms.messages WHERE id = $1`,
      [id],
    );
    return rows[0] ?? { latency: NaN, age: NaN };
  };
  const minutesFromNow = (minutes: number): Date => new Date(Date.now() + minutes * 60_000);

  it.each<[string, Date]>([
    ['five and a half hours ahead, in the time zone of the carrier', minutesFromNow(330)],
    ['in the year 2099', new Date('2099-12-31T23:59:00Z')],
    ['before the submit, in the time zone of the carrier', minutesFromNow(-480)],
    ['in the year 2000', new Date('2000-01-01T00:00:00Z')],
  ])('with a done date %s ends its message at its arrival', async (name, doneAt) => {
    for (const parts of [[`${name}-1`], [`${name}-2`, `${name}-3`]]) {
      const id = await messages.message();
      const at = minutesFromNow(-10).toISOString();
      await submits.record(messages.outcome(id, 'sent', { upstream_ids: parts, at }), messages.lane);
      for (const upstreamId of parts) {
        const receipt = { carrier: 'one', upstreamId, state: 'delivered' as const, errorCode: null };
        await receipts.record({ ...receipt, doneAt, receivedAt: minutesFromNow(-1) });
      }
      const { latency, age } = await times(id);
      expect(latency).toBeCloseTo(9 * 60, -1);
      expect(age).toBeGreaterThan(50);
    }
  });

  it('with a done date between submit and arrival ends its message at that date, which may be rounded to minutes', async () => {
    const inside = await messages.message();
    const rounded = await messages.message();
    const at = minutesFromNow(-10).toISOString();
    await submits.record(messages.outcome(inside, 'sent', { upstream_ids: ['inside'], at }), messages.lane);
    await submits.record(messages.outcome(rounded, 'sent', { upstream_ids: ['rounded'], at }), messages.lane);
    const receipt = { carrier: 'one', state: 'delivered' as const, errorCode: null, receivedAt: new Date() };
    await receipts.record({ ...receipt, upstreamId: 'inside', doneAt: minutesFromNow(-4) });
    await receipts.record({ ...receipt, upstreamId: 'rounded', doneAt: minutesFromNow(-10.8) });
    expect((await times(inside)).latency).toBeCloseTo(6 * 60, -1);
    expect((await times(rounded)).latency).toBe(0);
  });

  it('that arrived before its submit was stored ends its message between submit and arrival', async () => {
    const receivedAt = minutesFromNow(-3);
    const receipt = { carrier: 'one', state: 'delivered' as const, errorCode: null, receivedAt };
    await receipts.record({ ...receipt, upstreamId: 'early', doneAt: minutesFromNow(300) });
    const id = await messages.message();
    const at = minutesFromNow(-5).toISOString();
    await submits.record(messages.outcome(id, 'sent', { upstream_ids: ['early'], at }), messages.lane);
    expect((await times(id)).latency).toBeCloseTo(120, -1);
  });

  it('is observed in the histogram of the lag, however it is matched, also if it changes nothing', async () => {
    const count = async (): Promise<number> =>
      Number(/^sms_receipt_lag_seconds_count (\d+)$/m.exec(await registry.metrics())?.[1] ?? NaN);
    const before = await count();
    await receive('lag-early', 'delivered');
    await sent('lag-early');
    await sent('lag-one');
    await Promise.all(['lag-one', 'lag-one'].map((upstreamId) => receive(upstreamId, 'delivered')));
    await sent('lag-part-1', 'lag-part-2');
    await receive('lag-part-1', 'delivered');
    await receive('lag-part-2', 'delivered');
    await receive('lag-of-nothing', 'delivered');
    expect((await count()) - before).toBe(5);
  });

  describe('for the last part only', () => {
    const settle = async (): Promise<void> => new PartialDeliveriesService(messages.pool).settle();
    const elapse = (seconds: number) =>
      messages.pool.query(`UPDATE sms.partial_deliveries SET received_at = received_at - $1 * interval '1 second'`, [
        seconds,
      ]);

    it('delivers the message when no other receipt has arrived for 30 seconds', async () => {
      const id = await sent('only-1', 'only-2', 'only-3');
      await receive('only-3', 'delivered');
      await settle();
      expect(await messages.statusOf(id)).toBe('sent');
      await elapse(31);
      await settle();
      expect(await messages.statusOf(id)).toBe('delivered');
      expect((await times(id)).latency).toBeLessThan(31);
      const { rows } = await messages.pool.query(
        `SELECT type FROM messaging.outbox WHERE payload ->> 'type' = 'sms.delivered'
        AND payload -> 'data' ->> 'messageId' = $1`,
        [id],
      );
      expect(rows).toHaveLength(1);
    });

    it('does not deliver a message of which another part failed', async () => {
      const id = await sent('half-1', 'half-2');
      await receive('half-2', 'delivered');
      await receive('half-1', 'undeliverable');
      await elapse(31);
      await settle();
      expect(await messages.statusOf(id)).toBe('failed');
      expect((await messages.pool.query('SELECT 1 FROM sms.partial_deliveries')).rows).toEqual([]);
    });

    it('does not deliver a newer message with the same id', async () => {
      const older = await sent('reused-1', 'reused-2');
      await receive('reused-2', 'delivered');
      const newer = await sent('reused-1');
      await elapse(31);
      await settle();
      expect(await Promise.all([older, newer].map((id) => messages.statusOf(id)))).toEqual(['delivered', 'sent']);
    });
  });

  it('of a carrier that assigns one id to all parts delivers the message', async () => {
    const id = await sent('shared', 'shared', 'shared');
    await receive('shared', 'delivered');
    expect(await messages.statusOf(id)).toBe('delivered');
  });

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
    const older = await sent('again');
    const newer = await sent('again');
    await receive('again', 'delivered');
    expect([await messages.statusOf(older), await messages.statusOf(newer)]).toEqual(['sent', 'delivered']);
  });
});
