import { tapEvents, unique, until, type EventTap } from '@heliograph/testing';
import { reportOf, send, sendOk } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';

describe('the responses of the mail backend', () => {
  let email: EmailFixture;
  let tenant: EmailTenant;
  let tap: EventTap;

  beforeAll(async () => {
    email = await EmailFixture.start();
    tenant = await email.tenant();
    tap = await tapEvents(email.service.amqpPrefix);
  });
  afterEach(() => email.mailbox.behaviours.reset());
  afterAll(async () => {
    await tap.close();
    await email.stop();
  });

  const fields = (to: string | string[]): object => ({ to, subject: 'Hi', text: 'Hi' });
  const credits = (): Promise<number> => email.balance(tenant.workspaceId);
  const isSuppressed = async (address: string): Promise<boolean> =>
    (await email.rows('SELECT FROM email.suppressions WHERE address_key = $1', [address])).length > 0;
  const soon = (messageId: string): Promise<unknown> =>
    email
      .rows(`UPDATE email.recipients SET next_try_at = now() WHERE message_id = $1 AND state = 'deferred'`, [messageId])
      .then(() => email.rows('UPDATE messaging.outbox SET available_at = now() WHERE id = $1', [messageId]));

  it('cause 502 EMAIL_SEND_FAILED without a charge if every recipient is refused', async () => {
    const before = await credits();
    const to = email.recipient();
    email.mailbox.behave({ reply: { code: 550, text: '5.7.1 not welcome here' } }, to);
    const answer = await send(email, tenant.key, fields(to));
    expect([answer.status, answer.body['code']]).toEqual([502, 'EMAIL_SEND_FAILED']);
    expect(answer.body['message']).toContain('not welcome here');
    expect(await credits()).toBe(before);
    expect(await isSuppressed(to)).toBe(false);
    const [row] = await email.rows<{ id: string; status: string }>(
      'SELECT id, status FROM email.messages ORDER BY id DESC LIMIT 1',
    );
    expect(row?.status).toBe('failed');
    expect(await reportOf(email, tenant.key, row!.id)).toMatchObject({ status: 'failed', to, events: [] });
  });

  it.each([
    ['recipient', 'rcpt'],
    ['content', 'data'],
  ] as const)('refund the recipients whose %s is rejected, while the others are sent', async (_what, at) => {
    const before = await credits();
    const good = email.recipient();
    const bad = email.recipient();
    email.mailbox.behave({ at, reply: { code: 554, text: '5.6.0 no' } }, bad);
    const answer = await sendOk(email, tenant.key, fields([good, bad]));
    expect(answer).toMatchObject({ status: 'sent', recipientCount: 2, sentCount: 1, failedCount: 1, skippedCount: 0 });
    expect(answer.results).toEqual([
      { to: good, ok: true, messageId: expect.stringMatching(/^<.+@.+>$/) as string, error: null, skipped: false },
      { to: bad, ok: false, messageId: null, error: expect.stringContaining('5.6.0 no') as string, skipped: false },
    ]);
    expect(await credits()).toBe(before - 1);
    expect(email.mailbox.mails(good)).toHaveLength(1);
  });

  it('suppress an address that does not exist', async () => {
    const alive = email.recipient();
    const dead = email.recipient();
    email.mailbox.behave({ reply: { code: 550, text: '5.1.1 no such user' } }, dead);
    await sendOk(email, tenant.key, fields([alive, dead]));
    expect(await isSuppressed(dead)).toBe(true);
    email.mailbox.behaviours.reset();

    const before = await credits();
    const some = await sendOk(email, tenant.key, fields([alive, dead.toUpperCase().replace('@EXAMPLE', '@example')]));
    expect(some).toMatchObject({ status: 'sent', sentCount: 1, skippedCount: 1 });
    expect(some.results[1]).toMatchObject({ ok: false, messageId: null, error: null, skipped: true });
    const none = await sendOk(email, tenant.key, fields(dead));
    expect(none).toMatchObject({ ok: true, status: 'skipped', recipientCount: 1, sentCount: 0, skippedCount: 1 });
    expect(await credits()).toBe(before - 1);
    expect(email.mailbox.mails(dead)).toHaveLength(0);
    expect(await reportOf(email, tenant.key, none.id)).toMatchObject({ status: 'skipped' });

    const other = await email.tenant();
    expect(await sendOk(email, other.key, fields(dead))).toMatchObject({ sentCount: 1 });
  });

  it.each([
    ['recipient', 'rcpt'],
    ['content', 'data'],
  ] as const)('cause a retry if the %s is deferred, while the recipient counts as sent', async (_what, at) => {
    const before = await credits();
    const to = email.recipient();
    email.mailbox.behave({ at, reply: { code: 451, text: '4.7.1 greylisted' } }, to);
    const { id, ...answer } = await sendOk(email, tenant.key, fields(to));
    expect(answer).toMatchObject({ status: 'sent', sentCount: 1, failedCount: 0 });
    const reason = expect.stringContaining('4.7.1 greylisted') as string;
    expect(answer.results[0]).toMatchObject({ ok: true, error: reason });
    expect(email.mailbox.mails(to)).toHaveLength(0);
    expect(await reportOf(email, tenant.key, id)).toMatchObject({ status: 'sent', events: [] });
    email.mailbox.behaviours.reset();
    await soon(id);
    await until('the mail arrives', () => email.mailbox.mails(to).length === 1);
    expect((await email.mailbox.messagesTo(to))[0]?.headers['message-id']).toBe(answer.results[0]?.messageId);
    await until('its job is completed', async () => (await jobsOf(id)) === 0);
    expect(await credits()).toBe(before - 1);
    expect(await reportOf(email, tenant.key, id)).toMatchObject({ status: 'sent', events: [] });
  });

  it('bounce and refund a recipient that is deferred for too long', async () => {
    const before = await credits();
    const to = email.recipient();
    email.mailbox.behave({ reply: { code: 451, text: '4.2.2 mailbox full' } }, to);
    const { id } = await sendOk(email, tenant.key, fields(to));
    await email.rows(`UPDATE email.recipients SET first_tried_at = now() - interval '5 hours' WHERE message_id = $1`, [
      id,
    ]);
    await soon(id);
    const report = await until('the mail has bounced', async () => {
      const current = await reportOf(email, tenant.key, id);
      return current.status === 'bounced' && current;
    });
    expect(report.events).toEqual([
      {
        type: 'bounced',
        recipient: to,
        url: null,
        reason: expect.stringContaining('mailbox full') as string,
        occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/) as string,
      },
    ]);
    const [stored] = await email.rows<{ history: { outcome: string; error: string }[]; key_id: string | null }>(
      'SELECT r.history, m.key_id FROM email.recipients AS r JOIN email.messages AS m ON m.id = r.message_id WHERE m.id = $1',
      [id],
    );
    expect(stored?.history.map(({ outcome }) => outcome)).toEqual(['deferred', 'refused']);
    expect(stored?.history[0]?.error).toContain('mailbox full');
    expect(stored?.key_id).not.toBeNull();
    expect(await credits()).toBe(before);
    expect(await isSuppressed(to)).toBe(false);
    await until('the event is published', () =>
      tap.events.some(({ type, data }) => type === 'email.bounced' && (data as { messageId: string }).messageId === id),
    );
  });

  it('suppress an address after its domain failed permanently on three days without a delivery in between', async () => {
    const domain = `${unique()}.example`;
    const dead = `ann@${domain}`;
    const bounce = async (text: string) => {
      email.mailbox.behave({ reply: { code: 450, text } }, dead);
      const { id } = await sendOk(email, tenant.key, fields(dead));
      await email.rows(
        `UPDATE email.recipients SET first_tried_at = now() - interval '5 hours' WHERE message_id = $1`,
        [id],
      );
      await soon(id);
      await until('the mail has bounced', async () => (await reportOf(email, tenant.key, id)).status === 'bounced');
    };
    const nextDay = () =>
      email.rows(`UPDATE email.failing_domains SET failed_at = failed_at - interval '1 day' WHERE domain = $1`, [
        domain,
      ]);
    const failures = () =>
      email.rows<{ failures: number }>('SELECT failures FROM email.failing_domains WHERE domain = $1', [domain]);
    const notFound = '4.1.2 Recipient address rejected: Domain not found';

    await bounce('4.2.2 mailbox full');
    expect(await failures()).toEqual([]);
    await bounce(notFound);
    // Two failures on the same day count once.
    await bounce(notFound);
    expect(await failures()).toEqual([{ failures: 1 }]);

    const other = `bob@${domain}`;
    await sendOk(email, tenant.key, fields(other));
    await email.mailbox.notify({ to: other, action: 'delivered', status: '2.0.0' });
    await until('the delivery resets the count', async () => (await failures()).length === 0);

    for (const day of [1, 2, 3]) {
      expect(await isSuppressed(dead)).toBe(false);
      await nextDay();
      await bounce(notFound);
      expect(await failures()).toEqual([{ failures: day }]);
    }
    expect(await isSuppressed(dead)).toBe(true);
    expect(await isSuppressed(other)).toBe(false);
    expect(await sendOk(email, tenant.key, fields(dead))).toMatchObject({ status: 'skipped' });
  });

  it('suppress an address that is rejected on three days because its domain accepts no mail', async () => {
    const dead = `ann@${unique()}.example`;
    email.mailbox.behave({ reply: { code: 550, text: 'Domain not found' } }, dead);
    for (let day = 1; day <= 3; day++) {
      expect(await isSuppressed(dead)).toBe(false);
      expect((await send(email, tenant.key, fields(dead))).status).toBe(502);
      await email.rows(`UPDATE email.failing_domains SET failed_at = failed_at - interval '1 day'`);
    }
    expect(await isSuppressed(dead)).toBe(true);
  });

  it('cause one retry if the connection breaks after the content, and no third attempt', async () => {
    const before = await credits();
    const to = email.recipient();
    email.mailbox.behave({ cutAfterData: true }, to);
    const { id, ...answer } = await sendOk(email, tenant.key, fields(to));
    expect(answer).toMatchObject({ status: 'sent', sentCount: 1 });
    expect(answer.results[0]).toMatchObject({
      ok: true,
      error: expect.stringMatching(
        /^The result is uncertain, .* may have been delivered: .* retried once in the background\.$/,
      ) as string,
    });
    expect(email.mailbox.mails(to)).toHaveLength(1);
    await soon(id);
    await until('the second copy is sent', () => email.mailbox.mails(to).length === 2);
    await until('its job is completed', async () => (await jobsOf(id)) === 0);
    const [row] = await email.rows<{ state: string; copies: number }>(
      'SELECT state, copies FROM email.recipients WHERE message_id = $1',
      [id],
    );
    expect(row).toEqual({ state: 'sent', copies: 2 });
    expect(email.mailbox.mails(to)).toHaveLength(2);
    expect(await credits()).toBe(before - 1);
  });

  it('can be missing: the call ends at its deadline, and the mail is delivered later', async () => {
    await email.restart({ EMAIL_CALL_DEADLINE_MS: '400', EMAIL_SMTP_CONNECTIONS: '1' });
    const to = [email.recipient(), email.recipient()];
    email.mailbox.behave({ delayMs: 4_000 }, to[0]);
    const startedAt = Date.now();
    const answer = await sendOk(email, tenant.key, fields(to));
    expect(Date.now() - startedAt).toBeLessThan(4_000);
    expect(answer).toMatchObject({ sentCount: 2 });
    await until('both mails arrive', () => to.every((address) => email.mailbox.mails(address).length === 1));
    await email.restart();
  });

  it('can be missing during an outage, and accepted mail is sent when the backend is available again', async () => {
    const port = email.mailbox.smtpPort;
    await email.mailbox.stop();
    const to = email.recipient();
    const { id, ...answer } = await sendOk(email, tenant.key, fields(to));
    expect(answer).toMatchObject({ status: 'sent', sentCount: 1 });
    await email.mailbox.start({ smtpPort: port });
    await until(
      'the mail arrives',
      async () => {
        await soon(id);
        return email.mailbox.mails(to).length === 1;
      },
      { everyMs: 300 },
    );
  });

  it('are awaited fairly, so that many mails of one tenant do not delay the mails of another', async () => {
    await email.restart({ EMAIL_SMTP_CONNECTIONS: '2' });
    email.mailbox.behave({ delayMs: 40 });
    const crowd = Array.from({ length: 100 }, () => email.recipient('crowd'));
    const other = await email.tenant();
    const large = sendOk(email, tenant.key, fields(crowd));
    await until('the large send is in progress', () =>
      crowd.some((address) => email.mailbox.mails(address).length > 0),
    );
    await sendOk(email, other.key, fields(email.recipient()));
    expect(crowd.filter((address) => email.mailbox.mails(address).length > 0).length).toBeLessThan(60);
    expect(await large).toMatchObject({ sentCount: 100 });
    await email.restart();
  });

  /** Returns the number of jobs of a send, waiting or running. */
  async function jobsOf(id: string): Promise<number> {
    const rows = await email.rows(
      `SELECT FROM messaging.outbox WHERE id = $1 OR payload->'data'->>'messageId' = $1::text AND type = 'email.due'`,
      [id],
    );
    const [message] = await email.rows<{ status: string }>('SELECT status FROM email.messages WHERE id = $1', [id]);
    return rows.length + (message?.status === 'sending' ? 1 : 0);
  }
});
