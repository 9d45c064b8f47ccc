import { until } from '@heliograph/testing';
import type { EmailFixture } from './email-fixture';
import { V1Calls, type Fields } from './v1-calls';

const CONTENT = { subject: 'Hi', text: 'Hi' };
const ATTACHED = 'From: ann@acme.example\r\nSubject: Attached\r\nContent-Type: text/plain\r\n\r\n.Hello\r\n--end\r\n';

describe('the headers and attachments of a v1 send', () => {
  let v1: V1Calls;
  let email: EmailFixture;
  beforeAll(async () => {
    v1 = await V1Calls.start();
    ({ email } = v1);
  });

  const arrived = async (to: string) => {
    await until('the mail arrives', () => email.mailbox.mails(to).length === 1);
    return (await email.mailbox.messagesTo(to))[0]!;
  };
  const attachment = (content: string | Buffer, content_type = 'message/rfc822') => ({
    filename: 'mail.eml',
    content_type,
    content: Buffer.from(content).toString('base64'),
  });

  it.each([
    ['with CRLF', ATTACHED],
    ['with LF', ATTACHED.replaceAll('\r\n', '\n')],
    ['of 200 kB', ATTACHED + 'line\r\n'.repeat(35_000)],
  ])('attach a mail %s without a transfer encoding', async (_what, content) => {
    const to = email.recipient();
    const sent = await v1.post('/send', { to, ...CONTENT, attachments: [attachment(content)] });
    expect(sent.status).toBe(202);
    const { raw, headers } = await arrived(to);
    const [, part] = /Content-Type: message\/rfc822; name=mail\.eml\r\n([^]*)$/i.exec(raw) ?? [];
    const [head, ...body] = part!.split('\r\n\r\n');
    expect(head).toMatch(/Content-Transfer-Encoding: 7bit/);
    expect(head).toMatch(/Content-Disposition: attachment; filename=mail\.eml/);
    expect(body.join('\r\n\r\n')).toContain(content.replaceAll(/\r?\n/g, '\r\n').trimEnd());
    expect(headers).toHaveProperty('dkim-signature');
  });

  it.each([
    ['a mail with 8-bit text', attachment('Subject: Grüße\r\n\r\nHallo'), 'must be 7-bit ASCII'],
    ['a mail with a long line', attachment(`Subject: x\r\n\r\n${'x'.repeat(999)}`), 'lines of at most 998 characters'],
    ['a mail with NUL', attachment('Subject: x\r\n\r\n\0'), 'must be 7-bit ASCII'],
    ['a multipart', attachment('x', 'multipart/mixed'), 'must not be multipart/* or message/*'],
    ['a partial mail', attachment('x', 'message/partial'), 'Send the file as application/octet-stream'],
    ['an invalid type', attachment('x', 'pdf'), 'must be a media type such as'],
  ])('reject %s with a message that says why', async (_what, given, message) => {
    const { status, body } = await v1.post('/send', { to: email.recipient(), ...CONTENT, attachments: [given] });
    expect([status, body['code']]).toEqual([400, 'INVALID_REQUEST']);
    expect(body['message']).toMatch(/^attachments\[0\]\.content/);
    expect(body['message']).toContain(message);
  });

  it.each<[string, Fields]>([
    ['List-Unsubscribe', { 'List-Unsubscribe': '<https://elsewhere.example/leave>' }],
    ['list-unsubscribe', { 'list-unsubscribe': '<mailto:leave@elsewhere.example>' }],
    ['List-Unsubscribe-Post', { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }],
  ])('reject the header %s, whose one-click link is that of the service', async (name, headers) => {
    const body = { ...CONTENT, headers };
    const rejections = [
      await v1.post('/send', { to: email.recipient(), ...body }),
      await v1.post('/send', { to: email.recipient(), ...body, unsubscribe_scope: 'news' }),
      await v1.post('/bulk', { recipients: [{ to: email.recipient() }], ...body }),
      await v1.post('/quote', { to: email.recipient(), ...body }),
      await v1.post('/campaigns', { name: 'x', audience: { filter: {} }, ...body }),
    ];
    for (const { status, body: answer } of rejections) {
      expect([status, answer['code']]).toEqual([400, 'INVALID_REQUEST']);
      expect((answer['fields'] as { field: string; message: string }[])[0]).toMatchObject({
        field: 'headers',
        message: expect.stringContaining(`must not contain ${name}`) as string,
      });
    }
  });

  it('keep the one-click link of the service in accepted emails with such a header', async () => {
    const to = email.recipient();
    const { body } = await v1.post('/send', { to, ...CONTENT, scheduled_at: '2099-01-01T00:00:00Z' });
    await email.rows('UPDATE email.messages SET headers = $2 WHERE id = $1', [
      body['id'],
      { 'LIST-UNSUBSCRIBE': '<https://elsewhere.example/leave>', 'List-Id': 'news <news.acme.example>' },
    ]);
    await email.rows('UPDATE messaging.outbox SET available_at = now() WHERE id = $1', [body['id']]);
    const { headers } = await arrived(to);
    expect(headers['list-unsubscribe']).toMatch(/^<https:\/\/track\.heliograph\.example\/email\/u\/[\w-]+>$/);
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    expect(headers['list-id']).toBe('news <news.acme.example>');
  });

  it.each(['X-SMTPAPI', 'x-ses-configuration-set', 'X-Mailgun-Variables', 'X-MSYS-API', 'X-PM-Tag', 'X-MC-Tags'])(
    'reject the header %s, which mail services interpret as a command',
    async (name) => {
      const { status, body } = await v1.post('/send', { to: email.recipient(), ...CONTENT, headers: { [name]: 'x' } });
      expect([status, body['code']]).toEqual([400, 'INVALID_REQUEST']);
      expect(body['message']).toContain(`must not contain ${name}`);
    },
  );

  it.each(['DKIM-Signature', 'Return-Path', 'Bcc', 'From', 'Message-ID', 'Auto-Submitted', 'Received'])(
    'reject the header %s',
    async (name) => {
      const { status } = await v1.post('/send', { to: email.recipient(), ...CONTENT, headers: { [name]: 'x' } });
      expect(status).toBe(400);
    },
  );
});
