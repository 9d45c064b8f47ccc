import { setTimeout } from 'node:timers/promises';
import type { JobLane } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import { Registry } from 'prom-client';
import { ReceiptLag } from '../receipts/receipt-lag';
import { MessagesFixture } from './messages.fixture';
import { SubmitsRepository } from './submits.repository';

const LEASE_MS = 60_000;

describe('a message to submit', () => {
  let messages: MessagesFixture;
  let submits: SubmitsRepository;
  beforeAll(async () => {
    messages = await MessagesFixture.start();
    submits = new SubmitsRepository(messages.commits, new ReceiptLag(new Registry()));
  });
  afterAll(() => messages.stop());

  it('belongs to one worker until the lease ends', async () => {
    const id = await messages.message();
    expect(await submits.claim(id, LEASE_MS, messages.lane)).toMatchObject({
      outcome: 'claimed',
      submits: 1,
    });
    expect(await submits.claim(id, LEASE_MS, messages.lane)).toMatchObject({ outcome: 'busy' });
    await messages.pool.query(`UPDATE sms.messages SET claimed_until = now() - interval '1 second' WHERE id = $1`, [
      id,
    ]);
    expect(await submits.claim(id, LEASE_MS, messages.lane)).toMatchObject({
      outcome: 'claimed',
      submits: 2,
    });
  });

  it('is claimed and recorded before the messages of another organization that wait longer', async () => {
    const busy = newId();
    const neighbour = newId();
    const organizations = [...Array.from({ length: 400 }, () => busy), neighbour];
    const laneOf = (organizationId: string): JobLane => ({ kind: 'bulk', organizationId });
    const claimed: string[] = [];
    const recorded: string[] = [];
    await Promise.all(
      organizations.map(async (organization) => {
        await submits.claim(newId(), LEASE_MS, laneOf(organization));
        claimed.push(organization);
      }),
    );
    await Promise.all(
      organizations.map(async (organization) => {
        await submits.record(messages.outcome(newId(), 'released'), laneOf(organization));
        recorded.push(organization);
      }),
    );
    expect([claimed.indexOf(neighbour), recorded.indexOf(neighbour)]).toEqual([1, 1]);
  });

  it('of a single send is recorded while the messages of a bulk send wait for a locked row', async () => {
    const bulk = await messages.message();
    const single = await messages.message();
    const locker = await messages.pool.connect();
    try {
      await locker.query('BEGIN');
      await locker.query('SELECT FROM sms.messages WHERE id = $1 FOR UPDATE', [bulk]);
      let isRecorded = false;
      const waiting = submits.record(messages.outcome(bulk, 'sent'), messages.lane).then(() => (isRecorded = true));
      // In the same batch as the bulk send, the single send would be recorded only after the rollback.
      await Promise.race([
        submits.record(messages.outcome(single, 'sent'), { ...messages.lane, kind: 'single' }),
        setTimeout(3_000),
      ]);
      expect([await messages.statusOf(single), isRecorded]).toEqual(['sent', false]);
      await locker.query('ROLLBACK');
      await waiting;
    } finally {
      await locker.query('ROLLBACK');
      locker.release();
    }
  });

  it('is recorded while the row of a message of another organization is locked', async () => {
    const locked = await messages.message();
    const id = await messages.message();
    const locker = await messages.pool.connect();
    try {
      await locker.query('BEGIN');
      await locker.query('SELECT FROM sms.messages WHERE id = $1 FOR UPDATE', [locked]);
      const waiting = submits.record(messages.outcome(locked, 'sent'), messages.lane);
      await submits.record(messages.outcome(id, 'sent'), { kind: 'bulk', organizationId: newId() });
      expect(await Promise.all([id, locked].map((one) => messages.statusOf(one)))).toEqual(['sent', 'queued']);
      await locker.query('ROLLBACK');
      await waiting;
    } finally {
      locker.release();
    }
    expect(await messages.statusOf(locked)).toBe('sent');
  });

  it('does not count a claim that was released without a submit', async () => {
    const id = await messages.message();
    await submits.claim(id, LEASE_MS, messages.lane);
    await submits.record(messages.outcome(id, 'released'), messages.lane);
    expect(await submits.claim(id, LEASE_MS, messages.lane)).toMatchObject({
      outcome: 'claimed',
      submits: 1,
    });
  });

  it('is refunded when the carrier refuses it, and not when the carrier may have accepted it', async () => {
    const refused = await messages.message();
    const givenUp = await messages.message();
    await submits.record(messages.outcome(refused, 'refused'), messages.lane);
    await submits.record(messages.outcome(givenUp, 'given_up'), messages.lane);
    expect(await Promise.all([refused, givenUp].map((id) => messages.statusOf(id)))).toEqual(['failed', 'failed']);
    expect(await Promise.all([refused, givenUp].map((id) => messages.refundOf(id)))).toEqual([2, 0]);
  });

  it('retains the first 5 and the last 15 submits that were not accepted, and the ids of the accepted one', async () => {
    const id = await messages.message();
    const numbers = Array.from({ length: 30 }, (_, index) => String(index));
    for (const number of numbers) {
      const attempt = { at: new Date().toISOString(), upstream: 'one', outcome: 'throttled' as const, error: number };
      // Each claim but the first has two throttled submits.
      const attempts = number === '0' ? [attempt] : [attempt, { ...attempt, part: 2 }];
      await submits.record(messages.outcome(id, 'released', { error: null, attempts }), messages.lane);
    }
    await submits.record(messages.outcome(id, 'sent', { upstream_ids: ['a', 'b'] }), messages.lane);
    const { rows } = await messages.pool.query<{ attempts: { error: string }[]; upstream_ids: string[] }>(
      'SELECT attempts, upstream_ids FROM sms.messages WHERE id = $1',
      [id],
    );
    const all = numbers.flatMap((number) => (number === '0' ? [number] : [number, number]));
    expect(rows[0]?.attempts.map(({ error }) => error)).toEqual([...all.slice(0, 5), ...all.slice(-15)]);
    expect(rows[0]?.upstream_ids).toEqual(['a', 'b']);
  });

  it.each(['sent', 'delivered', 'failed', 'canceled'])('is over when its status is %s', async (status) => {
    const id = await messages.message(status);
    expect(await submits.claim(id, LEASE_MS, messages.lane)).toMatchObject({ outcome: 'over' });
    await submits.record(messages.outcome(id, 'refused'), messages.lane);
    await submits.record(messages.outcome(id, 'sent', { upstream_ids: [`late-${status}`] }), messages.lane);
    expect(await messages.statusOf(id)).toBe(status);
    expect(await messages.refundOf(id)).toBe(0);
  });
});
