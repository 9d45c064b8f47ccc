import { setTimeout as delay } from 'node:timers/promises';
import { tapEvents, until, type EventTap } from '@heliograph/testing';
import { EmailFixture, type EmailTenant } from './email-fixture';
import { V1Calls, type Fields } from './v1-calls';

interface Campaign extends Fields {
  id: string;
  status: string;
  counts: Record<string, number>;
  credits_spent: number;
  finished_at: string | null;
}

/** The time after which nothing of a stopped campaign may leave, and a time in which more would leave. */
const EFFECT_MS = 2_000;
const OBSERVED_MS = 2_500;
const CREDITS = 5_000;

describe('an email campaign that is stopped while its mails wait', () => {
  let email: EmailFixture;
  let v1: V1Calls;
  let tenant: EmailTenant;
  let tap: EventTap;
  beforeAll(async () => {
    email = await EmailFixture.start();
    v1 = await V1Calls.start(email);
    tap = await tapEvents(email.service.amqpPrefix);
  });
  beforeEach(async () => {
    tenant = await email.tenant({ credits: CREDITS });
    email.mailbox.forgetMails();
  });
  afterEach(() => email.mailbox.behaviours.reset());
  afterAll(async () => {
    await tap.close();
    await email.stop();
  });

  const contacts = (count: number) =>
    email.rows(
      `INSERT INTO contacts.contacts (id, organization_id, email, source)
       SELECT gen_random_uuid(), $1::uuid, concat('reader-', n, '-', $1::text, '@example.com'), 'api' FROM generate_series(1, $2) AS n`,
      [tenant.organizationId, count],
    );
  const post = async (path: string) => {
    const { status, body } = await v1.post(`/campaigns${path}`, {}, tenant.key);
    return { status, body: body as Campaign };
  };
  const create = async (fields: Fields = {}): Promise<Campaign> => {
    const content = { name: 'News', subject: 'Hello', text: 'Hello', audience: { filter: {} }, ...fields };
    const { status, body } = await v1.post('/campaigns', content, tenant.key);
    expect(status).toBe(201);
    return body as Campaign;
  };
  const read = async (id: string) => (await v1.get(`/campaigns/${id}`, tenant.key)).body as Campaign;
  const reached = (id: string, status: string) => until(status, async () => (await read(id)).status === status);
  const arrived = (): number => email.mailbox.mails().length;
  const completions = (id: string): number =>
    tap.events.filter(
      ({ type, data }) => type === 'campaign.completed' && (data as { campaignId: string }).campaignId === id,
    ).length;
  const refunds = async (): Promise<{ entries: number; credits: number }> => {
    const [row] = await email.rows<{ entries: number; credits: number }>(
      `SELECT count(*)::int AS entries, coalesce(sum(amount), 0)::int AS credits
       FROM credits.ledger WHERE workspace_id = $1 AND kind = 'refund'`,
      [tenant.workspaceId],
    );
    return row!;
  };
  /** Returns the number of mails that had arrived after the time for the effect; no more may arrive. */
  const stopsArriving = async (): Promise<number> => {
    await delay(EFFECT_MS);
    const count = arrived();
    await delay(OBSERVED_MS);
    expect(arrived()).toBe(count);
    return count;
  };
  /** Cancels the campaign and checks that each mail has either left or been refunded once. */
  const cancelsTheRest = async (id: string, total: number): Promise<Campaign> => {
    expect(await post(`/${id}/cancel`)).toMatchObject({ status: 200, body: { status: 'canceled' } });
    const left = await stopsArriving();
    const done = await until('nothing waits', async () => {
      const campaign = await read(id);
      return campaign.finished_at !== null && campaign;
    });
    expect(done).toMatchObject({ status: 'canceled', counts: { queued: total, sent: left, canceled: total - left } });
    expect(done.credits_spent).toBe(left);
    expect(await refunds()).toEqual({ entries: total - left, credits: total - left });
    expect(await email.balance(tenant.workspaceId)).toBe(CREDITS - left);
    const states = await email.rows(
      `SELECT DISTINCT m.status, r.state FROM email.messages AS m JOIN email.recipients AS r ON r.message_id = m.id
       WHERE m.campaign_id = $1 AND r.state <> 'sent'`,
      [id],
    );
    expect(states).toEqual([{ status: 'canceled', state: 'canceled' }]);
    return done;
  };

  it('pauses before the first mail has left, and sends each mail once after it was resumed', async () => {
    await contacts(300);
    email.mailbox.behave({ delayMs: 1_200 });
    const { id } = await create();
    await until('emails are queued', async () => (await read(id)).counts['queued']! > 100);
    expect(await post(`/${id}/pause`)).toMatchObject({ status: 200, body: { status: 'paused', finished_at: null } });
    const left = await stopsArriving();
    expect(left).toBeLessThan(60);
    expect(await read(id)).toMatchObject({ status: 'paused', counts: { sent: left } });
    const waiting = await email.rows(
      `SELECT DISTINCT m.status, r.state, r.attempts, r.copies FROM email.messages AS m
       JOIN email.recipients AS r ON r.message_id = m.id WHERE m.campaign_id = $1 AND r.state <> 'sent'`,
      [id],
    );
    expect(waiting).toEqual([{ status: 'scheduled', state: 'waiting', attempts: 0, copies: 0 }]);
    expect(completions(id)).toBe(0);
    email.mailbox.behaviours.reset();
    expect(await post(`/${id}/resume`)).toMatchObject({ status: 200, body: { status: 'running' } });
    await reached(id, 'completed');
    expect(await read(id)).toMatchObject({ counts: { audience: 300, queued: 300, sent: 300, canceled: 0 } });
    expect(new Set(email.mailbox.mails().map(({ envelope }) => envelope.to[0])).size).toBe(300);
    expect(arrived()).toBe(300);
    await until('the completion is published', () => completions(id) === 1);
  });

  it('refunds what has not left when it is canceled', async () => {
    await contacts(300);
    email.mailbox.behave({ delayMs: 1_200 });
    const { id } = await create();
    await until('emails have left', async () => (await read(id)).counts['sent']! > 0);
    const { queued } = (await read(id)).counts;
    await cancelsTheRest(id, queued!);
    expect(await post(`/${id}/cancel`)).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } });
  });

  it('is not completed while mails wait, and can be paused and canceled until then', async () => {
    await contacts(1_500);
    email.mailbox.behave({ delayMs: 500 });
    const { id } = await create();
    await until('all emails are queued', async () => (await read(id)).counts['queued'] === 1_500);
    await delay(EFFECT_MS);
    expect(await read(id)).toMatchObject({ status: 'running', finished_at: null });
    expect(await post(`/${id}/pause`)).toMatchObject({ status: 200 });
    await stopsArriving();
    await cancelsTheRest(id, 1_500);
    expect(completions(id)).toBe(0);
  });

  it('keeps a deferred mail during a pause, and sends it after it was resumed', async () => {
    await contacts(3);
    email.mailbox.behave({ reply: { code: 451, text: '4.7.1 try again later' } });
    const { id } = await create();
    const deferred = async () =>
      (await email.rows(`SELECT FROM email.recipients WHERE campaign_id = $1 AND state = 'deferred'`, [id])).length;
    await until('the mails are deferred', async () => (await deferred()) === 3);
    expect(await read(id)).toMatchObject({ status: 'running', finished_at: null, counts: { queued: 3, sent: 0 } });
    expect(await post(`/${id}/pause`)).toMatchObject({ status: 200 });
    email.mailbox.behaviours.reset();
    // The retries are due after about 4 seconds.
    await delay(6_000);
    expect(arrived()).toBe(0);
    expect(await deferred()).toBe(3);
    await post(`/${id}/resume`);
    await reached(id, 'completed');
    expect([arrived(), await email.balance(tenant.workspaceId)]).toEqual([3, CREDITS - 3]);
  });

  it('refunds deferred mails when it is canceled', async () => {
    await contacts(3);
    email.mailbox.behave({ reply: { code: 451, text: '4.7.1 try again later' } });
    const { id } = await create();
    await until('the mails are deferred', async () => {
      const states = await email.rows(`SELECT FROM email.recipients WHERE campaign_id = $1 AND state = 'deferred'`, [
        id,
      ]);
      return states.length === 3;
    });
    email.mailbox.behaviours.reset();
    await cancelsTheRest(id, 3);
    expect(arrived()).toBe(0);
  });

  it('continues the cancellation of a process that crashed', async () => {
    await contacts(5);
    email.mailbox.behave({ reply: { code: 451, text: '4.7.1 try again later' } });
    const { id } = await create();
    const rows = () =>
      email.rows<{ message_id: string }>(
        `SELECT message_id FROM email.recipients WHERE campaign_id = $1 AND state = 'deferred' ORDER BY message_id`,
        [id],
      );
    await until('the mails are deferred', async () => (await rows()).length === 5);
    // One worker crashed after it had transmitted the first mail, another one before it had transmitted the second mail.
    const [first, second] = await rows();
    for (const [message, copies] of [
      [first, 1],
      [second, 0],
    ] as const) {
      await email.rows(`UPDATE email.recipients SET state = 'sending', copies = $2 WHERE message_id = $1`, [
        message!.message_id,
        copies,
      ]);
      await email.rows(
        `UPDATE email.messages SET status = 'sending', lease_until = now() + interval '3 seconds' WHERE id = $1`,
        [message!.message_id],
      );
    }
    await post(`/${id}/cancel`);
    await until('the others are canceled', async () => (await read(id)).counts['canceled'] === 3);
    expect((await read(id)).finished_at).toBeNull();
    await until('the leases have expired', async () => (await read(id)).finished_at !== null);
    // The mail that may have left counts as sent and is not refunded.
    expect(await read(id)).toMatchObject({ counts: { queued: 5, sent: 1, canceled: 4 }, credits_spent: 1 });
    expect(await refunds()).toEqual({ entries: 4, credits: 4 });
    expect(arrived()).toBe(0);
  });

  it('reaches the audience at the start if it is paused immediately', async () => {
    await contacts(4);
    const { id } = await create();
    await post(`/${id}/pause`);
    expect(await read(id)).toMatchObject({ status: 'paused', counts: { audience: 4 } });
    await email.rows(
      `INSERT INTO contacts.contacts (id, organization_id, email, source) VALUES (gen_random_uuid(), $1, $2, 'api')`,
      [tenant.organizationId, email.recipient('late')],
    );
    await post(`/${id}/resume`);
    await reached(id, 'completed');
    expect(await read(id)).toMatchObject({ counts: { audience: 4, queued: 4, sent: 4 } });
    expect(arrived()).toBe(4);
  });
});
