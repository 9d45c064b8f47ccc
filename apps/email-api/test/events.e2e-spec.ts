import { newId } from '@heliograph/database';
import { tapEvents, until, type EventTap } from '@heliograph/testing';
import { call, send, sendOk } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';

interface MessageData {
  messageId: string;
  recipient?: string;
  emailMessageId?: string | null;
  reason?: string | null;
}

describe('the events of an email on the bus', () => {
  let email: EmailFixture;
  let tenant: EmailTenant;
  let tap: EventTap;
  beforeAll(async () => {
    email = await EmailFixture.shared();
    tenant = await email.tenant();
    tap = await tapEvents(email.service.amqpPrefix);
  });
  afterEach(() => email.mailbox.behaviours.reset());
  afterAll(() => tap.close());

  const of = (type: string, messageId: string): MessageData[] =>
    tap.events
      .filter((event) => event.type === `email.${type}` && (event.data as MessageData).messageId === messageId)
      .map(({ data }) => data as MessageData);
  const fields = (to: string | string[], more: object = {}) => ({ to, subject: 'Hi', text: 'Hi', ...more });
  const published = (type: string, id: string, count = 1) =>
    until(`${count} email.${type} are published`, () => of(type, id).length >= count && of(type, id));
  /** Events are published in order, so nothing follows once a later email is sent. */
  const settle = async () => published('sent', (await sendOk(email, tenant.key, fields(email.recipient()))).id);

  it('are published once as queued, and once per recipient as sent or failed, with the Message-ID of a sent mail', async () => {
    const good = email.recipient();
    const bad = email.recipient();
    email.mailbox.behave({ reply: { code: 554, text: '5.6.0 no' } }, bad);
    const { id, results } = await sendOk(email, tenant.key, fields([good, bad]));
    await published('sent', id);
    await published('failed', id);
    await settle();
    expect(of('queued', id)).toEqual([{ messageId: id }]);
    expect(of('sent', id)).toMatchObject([{ recipient: good, emailMessageId: results[0]!.messageId }]);
    expect(of('failed', id)).toEqual([
      { messageId: id, recipient: bad, reason: expect.stringContaining('5.6.0 no') as string },
    ]);
    const [mail] = await email.mailbox.messagesTo(good);
    expect(of('sent', id)[0]!.emailMessageId).toBe(mail!.headers['message-id']);
    const event = tap.events.find(
      ({ type, data }) => type === 'email.queued' && (data as MessageData).messageId === id,
    );
    expect(event).toMatchObject({ organizationId: tenant.organizationId, workspaceId: tenant.workspaceId });
  });

  it('include a failure for every recipient of a send that is rejected completely', async () => {
    const to = [email.recipient(), email.recipient()];
    for (const one of to) email.mailbox.behave({ reply: { code: 550, text: '5.7.1 not welcome' } }, one);
    expect((await send(email, tenant.key, fields(to))).status).toBe(502);
    const [row] = await email.rows<{ id: string }>(
      'SELECT id FROM email.messages WHERE organization_id = $1 ORDER BY id DESC LIMIT 1',
      [tenant.organizationId],
    );
    await published('failed', row!.id, 2);
    await settle();
    expect(
      of('failed', row!.id)
        .map(({ recipient }) => recipient)
        .sort(),
    ).toEqual([...to].sort());
    expect(of('bounced', row!.id)).toEqual([]);
  });

  it('contain the Message-ID in deliveries and bounces', async () => {
    const to = email.recipient();
    const { id, results } = await sendOk(email, tenant.key, fields(to));
    await email.mailbox.notify({ to, action: 'delivered', status: '2.0.0' });
    expect(await published('delivered', id)).toMatchObject([
      { recipient: to, emailMessageId: results[0]!.messageId, reason: null },
    ]);
  });

  it('of one type are recorded as often as the policy allows, and once without a number', async () => {
    const { id } = await sendOk(email, tenant.key, fields(email.recipient()));
    await published('sent', id);
    const record = async (type: string, more: object = {}) => {
      const event = {
        ord: 0,
        id: newId(),
        message_id: id,
        position: 0,
        type,
        occurred_at: new Date(),
        suppresses: false,
      };
      const batch = JSON.stringify([{ ...event, ...more }]);
      const [row] = await email.rows<{ outcome: string }>('SELECT outcome FROM email.record_events($1)', [batch]);
      return row!.outcome;
    };
    const opens = [];
    for (let times = 0; times < 3; times++) opens.push(await record('opened', { most: 2 }));
    expect(opens).toEqual(['recorded', 'recorded', 'repeated']);
    expect([await record('complained'), await record('complained')]).toEqual(['recorded', 'repeated']);
  });

  it('are not published as queued again by a retry, and a later rejection is a bounce', async () => {
    const to = email.recipient();
    email.mailbox.behave({ reply: { code: 451, text: '4.7.1 greylisted' } }, to);
    const { id, results } = await sendOk(email, tenant.key, fields(to));
    email.mailbox.behave({ reply: { code: 550, text: '5.2.1 disabled' } }, to);
    await email.rows('UPDATE email.recipients SET next_try_at = now() WHERE message_id = $1', [id]);
    await email.rows('UPDATE messaging.outbox SET available_at = now() WHERE id = $1', [id]);
    expect(await published('bounced', id)).toMatchObject([
      { recipient: to, emailMessageId: results[0]!.messageId, reason: expect.stringContaining('5.2.1') as string },
    ]);
    await settle();
    expect([of('queued', id).length, of('failed', id), of('sent', id)]).toEqual([1, [], []]);
  });

  it('are published as queued at the time of a scheduled email, and never if it is canceled or suppressed', async () => {
    const scheduledAt = '2099-01-01T00:00:00Z';
    const later = await sendOk(email, tenant.key, fields(email.recipient(), { scheduledAt }));
    const canceled = await sendOk(email, tenant.key, fields(email.recipient(), { scheduledAt }));
    const gone = email.recipient();
    await email.rows(
      `INSERT INTO email.suppressions (organization_id, address_key, address, reason) VALUES ($1, $2, $2, 'manual')`,
      [tenant.organizationId, gone],
    );
    const skipped = await sendOk(email, tenant.key, fields(gone));
    await call(email, `/email/cancel?id=${canceled.id}`, { method: 'POST', key: tenant.key });
    await settle();
    expect(of('queued', later.id)).toEqual([]);
    await email.rows('UPDATE messaging.outbox SET available_at = now() WHERE id = $1', [later.id]);
    await published('sent', later.id);
    await settle();
    expect(of('queued', later.id)).toEqual([{ messageId: later.id }]);
    expect([of('queued', canceled.id), of('queued', skipped.id)]).toEqual([[], []]);
  });

  it('are published as queued once for an email of v1 that waits for a worker', async () => {
    const response = await call(email, '/api/v1/email/send', {
      method: 'POST',
      key: tenant.key,
      json: fields(email.recipient()),
    });
    expect(response.status).toBe(202);
    const id = response.body['id'] as string;
    await published('sent', id);
    await settle();
    expect(of('queued', id)).toEqual([{ messageId: id }]);
  });
});
