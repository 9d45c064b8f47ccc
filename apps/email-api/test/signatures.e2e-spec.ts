import { until } from '@heliograph/testing';
import { authenticate } from 'mailauth';
import { sendOk } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';

describe('a mail at the server of the recipient', () => {
  let email: EmailFixture;
  let tenant: EmailTenant;
  beforeAll(async () => {
    email = await EmailFixture.shared();
    tenant = await email.tenant();
  });

  /** The DNS of the sender's domain with the records that its owner must publish. */
  const resolver = async (name: string, type: string): Promise<string[][]> => {
    const [domain] = await email.rows<{ selector: string; key: string }>(
      'SELECT dkim_selector AS selector, dkim_public_key AS key FROM email.domains WHERE name = $1',
      [tenant.domain],
    );
    if (domain && type === 'TXT' && name === `${domain.selector}._domainkey.${tenant.domain}`) {
      return [[`v=DKIM1; k=rsa; p=${domain.key}`]];
    }
    throw Object.assign(new Error('no such record'), { code: 'ENOTFOUND' });
  };

  it.each([
    ['plain text', { text: 'Hi' }],
    ['html and the generated text', { html: '<p>Grüße</p>\n.\n..dots\r\n<p>नमस्ते</p>' }],
    ['long lines', { text: 'x'.repeat(5_000), html: `<p>${'y'.repeat(5_000)}</p>` }],
    ['a subject in a non-Latin script', { subject: 'नमस्ते दुनिया — 🎉'.repeat(5), text: 'Hi' }],
    ['several hundred kilobytes', { text: 'नमस्ते\n.\n'.repeat(20_000), html: '<p>नमस्ते</p>\n'.repeat(20_000) }],
    ['bare line feeds and dots', { text: 'a\n.\nMAIL FROM:<x@example.com>\r.\rb\n\r\n.\r\nc' }],
  ])('is signed with DKIM by the domain of the sender: %s', async (_what, content) => {
    const to = email.recipient();
    await sendOk(email, tenant.key, { to, subject: 'Hi', ...content });
    const [mail] = await email.mailbox.messagesTo(to);
    const { dkim, headers } = await authenticate(Buffer.from(mail!.raw, 'latin1'), {
      trustReceived: false,
      resolver,
      ip: '127.0.0.1',
      helo: 'localhost',
      sender: mail!.envelope.from,
    });
    expect(dkim.results.map(({ status, signingDomain }) => [status.result, signingDomain])).toEqual([
      ['pass', tenant.domain],
    ]);
    expect(headers).toBeDefined();
    const signed = mail!.headers['dkim-signature'];
    const names = /[;\s]h=([^;]+);/.exec(String(signed))?.[1]?.toLowerCase() ?? '';
    for (const name of ['from', 'to', 'subject', 'date', 'message-id', 'list-unsubscribe', 'list-unsubscribe-post']) {
      expect(names).toContain(name);
    }
  });

  it('arrives unchanged if it has several hundred kilobytes', async () => {
    const to = email.recipient();
    const text = 'a €\n.\n'.repeat(60_000);
    const html = '<p>a €</p>\n'.repeat(40_000);
    await sendOk(email, tenant.key, { to, subject: 'Hi', text, html, tracking: { opens: false, clicks: false } });
    const [mail] = await email.mailbox.messagesTo(to);
    expect(mail?.text?.trim()).toBe(text.trim());
    expect(mail?.html?.trim()).toBe(html.trim());
  });

  it('has the headers for one-click unsubscribe and an identifying Message-ID', async () => {
    const to = email.recipient();
    await sendOk(email, tenant.key, { to, fromName: 'Acme, "Inc." <x@y>', subject: 'Hi', text: 'Hi' });
    const [mail] = await email.mailbox.messagesTo(to);
    expect(mail?.headers['list-unsubscribe']).toMatch(/^<https:\/\/track\.heliograph\.example\/email\/u\/[\w-]+>$/);
    expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    expect(mail?.envelope.from).toMatch(/^[a-z2-7]{48}@bounces\.heliograph\.example$/);
    expect(mail?.headers['from']).toContain(`<${tenant.from}>`);
    expect(mail?.headers['bcc']).toBeUndefined();
  });

  it('contains only CRLF line endings and no end-of-data sequence', async () => {
    const to = email.recipient();
    await sendOk(email, tenant.key, { to, subject: 'Hi', text: 'a\n.\nb\r.\rc\n.\r\nd', html: '<p>\n.\r\n</p>' });
    const raw = email.mailbox.mails(to)[0]!.raw.toString('latin1');
    expect(raw).not.toMatch(/[^\r]\n|\r[^\n]/);
    expect(Math.max(...raw.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(998);
  });

  it('contains tracked links and a pixel unless tracking is disabled', async () => {
    const html = '<p><a href="https://acme.example/x?a=1&amp;b=2">x</a></p>';
    const on = email.recipient();
    const off = email.recipient();
    await sendOk(email, tenant.key, { to: on, subject: 'Hi', html });
    await sendOk(email, tenant.key, { to: off, subject: 'Hi', html, tracking: { opens: false, clicks: false } });
    const [tracked] = await email.mailbox.messagesTo(on);
    expect(tracked?.html).toMatch(/href="https:\/\/track\.heliograph\.example\/email\/t\/c\//);
    expect(tracked?.html).toMatch(/<img [^>]*src="https:\/\/track\.heliograph\.example\/email\/t\/o\//);
    const [plain] = await email.mailbox.messagesTo(off);
    expect(plain?.html?.trim()).toBe(html);
  });

  it('is not tracked if the workspace or the key disables tracking', async () => {
    const keyOf = await email.rows<{ id: string }>('SELECT id FROM auth.api_keys WHERE organization_id = $1', [
      tenant.organizationId,
    ]);
    await email.rows('INSERT INTO email.tracking_settings VALUES ($1, $2, false, true)', [
      keyOf[0]?.id,
      tenant.organizationId,
    ]);
    await email.rows('INSERT INTO email.tracking_settings VALUES ($1, $2, true, false)', [
      tenant.workspaceId,
      tenant.organizationId,
    ]);
    const html = '<p><a href="https://acme.example/">x</a></p>';
    // Effective within a second.
    await until('a mail is not tracked', async () => {
      const to = email.recipient();
      await sendOk(email, tenant.key, { to, subject: 'Hi', html });
      return (await email.mailbox.messagesTo(to))[0]?.html?.trim() === html;
    });
  });
});
