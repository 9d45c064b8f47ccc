import { newId } from '@heliograph/database';
import { AttemptsRepository } from './attempts.repository';
import { EmailsFixture } from './emails.fixture';

describe('an email that is due', () => {
  let emails: EmailsFixture;
  let attempts: AttemptsRepository;
  beforeAll(async () => {
    emails = await EmailsFixture.start();
    attempts = new AttemptsRepository(emails.commits, emails.pool, { EMAIL_LEASE_MS: 60_000 } as never);
  });
  afterAll(() => emails.stop());

  it('belongs to one process until the lease ends', async () => {
    const id = await emails.email('scheduled', ['waiting']);
    expect(await attempts.claim(id, 100)).toMatchObject({ outcome: 'claimed', recipients: [{ position: 0 }] });
    expect(await attempts.claim(id, 100)).toMatchObject({ outcome: 'wait' });
    await emails.pool.query(`UPDATE email.messages SET lease_until = now() - interval '1 second' WHERE id = $1`, [id]);
    expect(await attempts.claim(id, 100)).toMatchObject({ outcome: 'claimed' });
  });

  it('is recorded while the row of an email of another organization is locked', async () => {
    const locked = await emails.email('scheduled', ['waiting']);
    const id = await emails.email('scheduled', ['waiting']);
    await attempts.claim(locked, 1);
    await attempts.claim(id, 1);
    const locker = await emails.pool.connect();
    try {
      await locker.query('BEGIN');
      await locker.query('SELECT FROM email.recipients WHERE message_id = $1 FOR UPDATE', [locked]);
      const waiting = attempts.record(emails.attempt(locked, 0, 'sent'), emails.lane);
      await attempts.record(emails.attempt(id, 0, 'sent'), { kind: 'bulk', organizationId: newId() });
      expect([await emails.statesOf(id), await emails.statesOf(locked)]).toMatchObject([
        { states: ['sent'] },
        { states: ['sending'] },
      ]);
      await locker.query('ROLLBACK');
      await waiting;
    } finally {
      locker.release();
    }
    expect(await emails.statesOf(locked)).toMatchObject({ states: ['sent'] });
  });

  it('is claimed in slices, the next one when all recipients of the last one have an outcome', async () => {
    const id = await emails.email('scheduled', ['waiting', 'waiting', 'waiting']);
    expect(await attempts.claim(id, 2)).toMatchObject({ recipients: [{ position: 0 }, { position: 1 }] });
    await attempts.record(emails.attempt(id, 0, 'sent'), emails.lane);
    expect(await attempts.claim(id, 2)).toMatchObject({ outcome: 'wait' });
    await attempts.record(emails.attempt(id, 1, 'deferred'), emails.lane);
    expect(await emails.statesOf(id)).toEqual({ status: 'sending', states: ['sent', 'deferred', 'waiting'] });
    await emails.pool.query(
      `UPDATE email.recipients SET next_try_at = now() + interval '1 hour' WHERE message_id = $1`,
      [id],
    );
    expect(await attempts.claim(id, 2)).toMatchObject({ outcome: 'claimed', recipients: [{ position: 2 }] });
    await attempts.record(emails.attempt(id, 2, 'refused'), emails.lane);
    expect(await emails.statesOf(id)).toEqual({ status: 'sent', states: ['sent', 'deferred', 'failed'] });
    expect(await emails.refundOf(id)).toBe(1);
    const { rows } = await emails.pool.query('SELECT FROM messaging.outbox WHERE id = $1', [id]);
    expect(rows).toHaveLength(1);
  });

  it.each(['canceled', 'skipped'])('is over when it is %s', async (status) => {
    const id = await emails.email(status, [status]);
    expect(await attempts.claim(id, 100)).toMatchObject({ outcome: 'over' });
    expect(await emails.statesOf(id)).toEqual({ status, states: [status] });
  });

  it('skips and refunds each recipient that was suppressed since', async () => {
    const id = await emails.email('scheduled', ['waiting', 'waiting', 'waiting']);
    await emails.suppress(id, [0, 2]);
    expect(await attempts.claim(id, 100)).toMatchObject({ outcome: 'claimed', recipients: [{ position: 1 }] });
    expect(await emails.statesOf(id)).toMatchObject({ states: ['skipped', 'sending', 'skipped'] });
    expect(await emails.refundOf(id)).toBe(2);
  });

  it('refunds each recipient that is refused', async () => {
    const id = await emails.email('sending', ['sending', 'sending', 'sending', 'sending']);
    await Promise.all(
      [0, 1, 2].map((position) => attempts.record(emails.attempt(id, position, 'refused'), emails.lane)),
    );
    await attempts.record(emails.attempt(id, 3, 'sent'), emails.lane);
    expect(await emails.statesOf(id)).toEqual({ status: 'sent', states: ['failed', 'failed', 'failed', 'sent'] });
    expect(await emails.refundOf(id)).toBe(3);
  });

  it('does not suppress an address for a refusal that does not concern the address', async () => {
    const id = await emails.email('sending', ['sending']);
    await attempts.record(emails.attempt(id, 0, 'refused'), emails.lane);
    const { rows } = await emails.pool.query('SELECT FROM email.suppressions WHERE message_id = $1', [id]);
    expect(rows).toEqual([]);
  });

  it.each(['sent', 'failed', 'skipped', 'canceled'])(
    'keeps a recipient %s when an outcome comes late',
    async (state) => {
      const id = await emails.email('sent', [state]);
      await attempts.record(emails.attempt(id, 0, 'refused'), emails.lane);
      await attempts.record(emails.attempt(id, 0, 'deferred'), emails.lane);
      expect(await emails.statesOf(id)).toMatchObject({ states: [state] });
      expect(await emails.refundOf(id)).toBe(0);
    },
  );
});
