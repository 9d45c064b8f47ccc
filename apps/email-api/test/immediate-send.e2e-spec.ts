import { tapEvents, until } from '@heliograph/testing';
import { reportOf, sendOk } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';

describe('an immediate send', () => {
  let email: EmailFixture;
  let tenant: EmailTenant;

  beforeAll(async () => {
    email = await EmailFixture.shared();
    tenant = await email.tenant();
  });

  it('delivers the mail to the inbox and charges one credit', async () => {
    const to = email.recipient();
    const before = await email.balance(tenant.workspaceId);
    const answer = await sendOk(email, tenant.key, {
      to,
      subject: 'Grüße aus नई दिल्ली',
      html: '<p>Read <a href="https://acme.example/a?b=1&amp;c=2">this</a></p>',
    });
    expect(answer).toMatchObject({
      ok: true,
      status: 'sent',
      from: tenant.from,
      recipientCount: 1,
      sentCount: 1,
      failedCount: 0,
      skippedCount: 0,
      scheduledAt: null,
    });
    const [mail] = await email.mailbox.messagesTo(to);
    expect(mail).toMatchObject({ subject: 'Grüße aus नई दिल्ली', envelope: { to: [to] } });
    expect(mail?.headers['message-id']).toBe(answer.results[0]?.messageId);
    expect(mail?.headers['from']).toContain(tenant.from);
    expect(mail?.text).toContain('https://acme.example/a?b=1&c=2');
    expect(await email.balance(tenant.workspaceId)).toBe(before - 1);
    expect(await reportOf(email, tenant.key, answer.id)).toMatchObject({ status: 'sent', to, events: [] });
  });

  it('delivers a separate mail to each recipient', async () => {
    const to = Array.from({ length: 60 }, () => email.recipient());
    const answer = await sendOk(email, tenant.key, { to, subject: 'Hi', text: 'Hi' });
    expect(answer).toMatchObject({ recipientCount: 60, sentCount: 60 });
    for (const address of to) expect(email.mailbox.mails(address)).toHaveLength(1);
    expect(new Set(to.map((address) => email.mailbox.mails(address)[0]?.envelope.from)).size).toBe(60);
  });

  it('row 1: delivers a long mail unchanged', async () => {
    const to = email.recipient();
    const line = `<p>${'Grüße '.repeat(30)}</p>\n`;
    const html = `<body>${line.repeat(1_500)}</body>`;
    const text = `.\n${'Zeile mit Umlaut ü\n'.repeat(20_000)}`;
    await sendOk(email, tenant.key, { to, subject: 'Long', html, text, tracking: { opens: false, clicks: false } });
    const [mail] = await email.mailbox.messagesTo(to);
    const normalized = (part: string | null | undefined) => part?.replaceAll('\r\n', '\n').trim();
    expect(normalized(mail?.text)).toBe(text.trim());
    expect(normalized(mail?.html)).toBe(html);
    expect(mail?.raw).toContain('Content-Transfer-Encoding: base64');
  });

  it('publishes its events', async () => {
    const tap = await tapEvents(email.service.amqpPrefix);
    const to = email.recipient();
    const { id } = await sendOk(email, tenant.key, { to, subject: 'Hi', text: 'Hi' });
    const sent = await until('the event is published', () =>
      tap.events.find(({ type, data }) => type === 'email.sent' && (data as { messageId: string }).messageId === id),
    );
    expect(sent).toMatchObject({
      organizationId: tenant.organizationId,
      workspaceId: tenant.workspaceId,
      data: { recipient: to, from: tenant.from, subject: 'Hi' },
    });
    await tap.close();
  });
});
