import { until } from '@heliograph/testing';
import { call, reportOf, sendOk } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';

const HTML =
  '<body><p>{{ name }}</p><a href="https://x.example/">x</a><a href="{{ unsubscribe_url }}">Leave</a></body>';
const LINK = /^https:\/\/track\.heliograph\.example\/email\/u\/[\w-]{40}$/;

describe('row 27: {{ unsubscribe_url }}', () => {
  let email: EmailFixture;
  let tenant: EmailTenant;
  beforeAll(async () => {
    email = await EmailFixture.shared();
    tenant = await email.tenant();
  });

  const mailOf = async (fields: object, to = email.recipient()) => {
    const { id } = await sendOk(email, tenant.key, { to, subject: 'Hi', ...fields });
    const [mail] = await email.mailbox.messagesTo(to);
    return { id, to, html: mail?.html ?? '', text: mail?.text ?? '', headers: mail?.headers ?? {} };
  };
  const visibleLink = (html: string) => /<a href="([^"]*)">Leave<\/a>/.exec(html)?.[1] ?? '';
  const confirm = (link: string) =>
    call(email, new URL(link).pathname, {
      method: 'POST',
      body: 'confirm=unsubscribe',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
  const events = async (id: string) => (await reportOf(email, tenant.key, id)).events.map(({ type }) => type);

  it('is the link of the recipient in inline html and text, without click tracking', async () => {
    const { html, text, headers } = await mailOf({ html: HTML, text: 'Leave: {{unsubscribe_url}}' });
    const link = visibleLink(html);
    expect(link).toMatch(LINK);
    expect(text.trim()).toBe(`Leave: ${link}`);
    expect(headers['list-unsubscribe']).toBe(`<${link}>`);
    // According to the contract, other tags of an inline body are unchanged, and other links are tracked.
    expect(html).toContain('<p>{{ name }}</p>');
    expect(html).toMatch(/<a href="https:\/\/track\.heliograph\.example\/email\/t\/c\/[^"]+">x<\/a>/);
  });

  it('appears in the text that is generated from html', async () => {
    const { html, text } = await mailOf({ html: '<p>Hi <a href="{{ unsubscribe_url }}">Leave</a></p>' });
    expect(text.trim()).toBe(`Hi Leave (${visibleLink(html)})`);
  });

  it('appears in the html and text of a template, together with its variables', async () => {
    const template = await email.template(tenant.organizationId, {
      html: '<p>{{ name }}</p>{% if unsubscribe_url %}<a href="{{ unsubscribe_url }}">Leave</a>{% endif %}',
      text: '{{ name }} {{unsubscribe_url}}',
    });
    expect(template.variables).toEqual(['name']);
    const { html, text } = await mailOf({ template: template.slug, variables: { name: 'Ann' } });
    expect(visibleLink(html)).toMatch(LINK);
    expect([html.includes('<p>Ann</p>'), text.trim()]).toEqual([true, `Ann ${visibleLink(html)}`]);
  });

  it("is the caller's own value if the caller gives one", async () => {
    const { slug } = await email.template(tenant.organizationId, {
      subject: 'Hi',
      html: null,
      text: '{{ unsubscribe_url }}',
    });
    const own = 'https://acme.example/preferences';
    expect((await mailOf({ template: slug, variables: { unsubscribe_url: own } })).text.trim()).toBe(own);
  });

  it('is a different link for each recipient, which unsubscribes this recipient only', async () => {
    const to = [email.recipient(), email.recipient()];
    const { id } = await sendOk(email, tenant.key, { to, subject: 'Hi', html: HTML });
    const links = await Promise.all(
      to.map(async (address) => visibleLink((await email.mailbox.messagesTo(address))[0]?.html ?? '')),
    );
    expect(new Set(links).size).toBe(2);
    expect((await confirm(links[1]!)).status).toBe(200);
    const again = await sendOk(email, tenant.key, { to, subject: 'Again', text: 'Again' });
    expect(again.results.map(({ skipped }) => skipped)).toEqual([false, true]);
    expect(await events(id)).toEqual(['unsubscribed']);
  });

  it('changes nothing when a scanner requests it, and unsubscribes when its page is confirmed', async () => {
    const { html, id } = await mailOf({ html: HTML, unsubscribeScope: 'news' });
    const link = visibleLink(html);
    for (const method of ['GET', 'HEAD']) {
      expect((await call(email, new URL(link).pathname, { method })).status).toBe(200);
    }
    expect(await events(id)).toEqual([]);
    const page = await confirm(link);
    expect(page.text).toContain('mail of the list <strong>news</strong>');
    expect(await events(id)).toEqual(['unsubscribed']);
  });

  it('stops marketing from a transactional mail, which has no List-Unsubscribe header', async () => {
    const { html, to, headers } = await mailOf({ html: HTML, unsubscribeScope: 'transactional' });
    expect(headers['list-unsubscribe']).toBeUndefined();
    const page = await call(email, new URL(visibleLink(html)).pathname);
    expect(page.text).toContain('marketing mail');
    await confirm(visibleLink(html));
    const status = async (fields: object) =>
      (await sendOk(email, tenant.key, { to, subject: 'Hi', text: 'Hi', ...fields })).status;
    expect([await status({}), await status({ unsubscribeScope: 'transactional' })]).toEqual(['skipped', 'sent']);
  });

  it('appears in a mail that a worker sends later', async () => {
    const to = email.recipient();
    const { id } = await sendOk(email, tenant.key, {
      to,
      subject: 'Hi',
      html: HTML,
      scheduledAt: '2099-01-01T00:00:00Z',
    });
    await email.rows('UPDATE messaging.outbox SET available_at = now() WHERE id = $1', [id]);
    await until('the mail arrives', () => email.mailbox.mails(to).length === 1);
    const [mail] = await email.mailbox.messagesTo(to);
    expect(visibleLink(mail?.html ?? '')).toMatch(LINK);
  });
});
