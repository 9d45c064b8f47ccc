import { requestMail } from '@heliograph/system-mail';
import { tapEvents, until } from '@heliograph/testing';
import { call, reportOf, send, sendOk, type Answer } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const LATER = '2099-01-01T00:00:00Z';
const CODE = { subject: 'Your code', text: 'Your code is 123456', unsubscribeScope: 'transactional' };
const NEWS = { subject: 'News', text: 'News', unsubscribeScope: 'news' };
const OFFER = { subject: 'Offer', text: 'Offer' };

interface Unsubscribed {
  address: string;
  scope: string;
  reason: string;
}

let email: EmailFixture;
let tenant: EmailTenant;
beforeAll(async () => {
  email = await EmailFixture.shared();
  tenant = await email.tenant();
});

const mailOf = async (fields: object, to = email.recipient()) => {
  const { id } = await sendOk(email, tenant.key, { to, ...fields });
  const mails = await email.mailbox.messagesTo(to);
  return { id, to, mail: mails.at(-1)! };
};
const headerLinkOf = ({ headers }: { headers: Record<string, unknown> }) =>
  new URL(/<(https:[^>]+)>/.exec(String(headers['list-unsubscribe']))?.[1] ?? '').pathname;
const oneClick = (path: string): Promise<Answer> =>
  call(email, path, { method: 'POST', body: 'List-Unsubscribe=One-Click', headers: FORM });
const statusOf = async (to: string, fields: object) => (await sendOk(email, tenant.key, { to, ...fields })).status;
const suppressions = (to: string) =>
  email.rows<Unsubscribed>(
    'SELECT address, scope, reason FROM email.suppressions WHERE organization_id = $1 AND address_key = $2 ORDER BY scope',
    [tenant.organizationId, to],
  );

describe('row 27: the headers of an email', () => {
  it('offer one-click unsubscribe without a scope, for marketing and for lists', async () => {
    for (const scope of [
      {},
      { unsubscribeScope: null },
      { unsubscribeScope: 'marketing' },
      { unsubscribeScope: 'news' },
    ]) {
      const { mail } = await mailOf({ ...OFFER, ...scope });
      expect(headerLinkOf(mail)).toMatch(/^\/email\/u\//);
      expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    }
  });

  it('do not offer it for transactional mail', async () => {
    const { mail } = await mailOf(CODE);
    expect(Object.keys(mail.headers).filter((name) => name.startsWith('list-'))).toEqual([]);
  });

  it.each(['email-verification', 'invitation'] as const)('do not offer it for system mail: %s', async (purpose) => {
    const to = email.recipient();
    await email.tenants.dataSource.transaction((transaction) =>
      requestMail(transaction, {
        purpose,
        to: [to],
        mail: { subject: 'Your code', text: '123456', html: '<p>123456</p>' },
        organizationId: tenant.organizationId,
        workspaceId: null,
        correlationId: null,
      }),
    );
    await until('the mail arrives', () => email.mailbox.mails(to).length === 1);
    const [mail] = await email.mailbox.messagesTo(to);
    expect(Object.keys(mail!.headers).filter((name) => name.startsWith('list-'))).toEqual([]);
    expect(
      await email.rows(
        `SELECT m.unsubscribe_scope FROM email.messages AS m JOIN email.recipients AS r ON r.message_id = m.id
         WHERE r.address = $1`,
        [to],
      ),
    ).toEqual([{ unsubscribe_scope: 'transactional' }]);
  });
});

describe('row 27: an unsubscribe', () => {
  it('from marketing stops marketing emails only', async () => {
    const { to, mail, id } = await mailOf(OFFER);
    expect((await oneClick(headerLinkOf(mail))).status).toBe(200);
    expect(await suppressions(to)).toEqual([{ address: to, scope: 'marketing', reason: 'unsubscribed' }]);
    expect(await statusOf(to, OFFER)).toBe('skipped');
    expect(await statusOf(to, { ...OFFER, unsubscribeScope: 'marketing' })).toBe('skipped');
    expect(await statusOf(to, NEWS)).toBe('sent');
    expect(await statusOf(to, CODE)).toBe('sent');
    expect((await reportOf(email, tenant.key, id)).events).toMatchObject([{ type: 'unsubscribed', reason: null }]);
  });

  it('from a list stops emails of the list only', async () => {
    const { to, mail } = await mailOf(NEWS);
    await oneClick(headerLinkOf(mail));
    expect(await statusOf(to, NEWS)).toBe('skipped');
    expect(await statusOf(to, OFFER)).toBe('sent');
    expect(await statusOf(to, { ...NEWS, unsubscribeScope: 'sales' })).toBe('sent');
    expect(await statusOf(to, CODE)).toBe('sent');
  });

  it('from two scopes stops emails of both', async () => {
    const to = email.recipient();
    for (const fields of [NEWS, OFFER]) {
      const { mail } = await mailOf(fields, to);
      await oneClick(headerLinkOf(mail));
    }
    expect((await suppressions(to)).map(({ scope }) => scope)).toEqual(['marketing', 'news']);
    expect(await statusOf(to, NEWS)).toBe('skipped');
    expect(await statusOf(to, OFFER)).toBe('skipped');
  });

  it('skips individual recipients of a send and charges the others', async () => {
    const left = email.recipient();
    const stays = email.recipient();
    for (const scope of ['all', 'news']) {
      await email.rows(
        `INSERT INTO email.suppressions (organization_id, address_key, scope, address, reason) VALUES ($1, $2, $3, $2, 'manual')`,
        [tenant.organizationId, left, scope],
      );
    }
    const before = await email.balance(tenant.workspaceId);
    const answer = await sendOk(email, tenant.key, { ...NEWS, to: [left, stays] });
    expect(answer).toMatchObject({ recipientCount: 2, sentCount: 1, skippedCount: 1 });
    expect(await email.balance(tenant.workspaceId)).toBe(before - 1);
  });

  it('before the time of a scheduled send skips and refunds it, if the scope is the same', async () => {
    const to = email.recipient();
    const scheduled = async (fields: object) => {
      const { id } = await sendOk(email, tenant.key, { to, ...fields, scheduledAt: LATER });
      return id;
    };
    const news = await scheduled(NEWS);
    const code = await scheduled(CODE);
    const { mail } = await mailOf(NEWS, to);
    await oneClick(headerLinkOf(mail));
    const before = await email.balance(tenant.workspaceId);
    await email.rows('UPDATE messaging.outbox SET available_at = now() WHERE id = ANY ($1::uuid[])', [[news, code]]);
    const status = async (id: string) => (await reportOf(email, tenant.key, id)).status;
    await until(
      'both sends are settled',
      async () => (await status(news)) === 'skipped' && (await status(code)) !== 'scheduled',
    );
    await until('the code arrives', async () =>
      (await email.mailbox.messagesTo(to)).some(({ subject }) => subject === CODE.subject),
    );
    expect(await email.balance(tenant.workspaceId)).toBe(before + 1);
  });

  it('publishes its scope, which other events do not contain', async () => {
    const tap = await tapEvents(email.service.amqpPrefix);
    const { id, mail } = await mailOf(NEWS);
    await oneClick(headerLinkOf(mail));
    const ofMail = () => tap.events.filter(({ data }) => (data as { messageId?: string }).messageId === id);
    await until('the event is published', () => ofMail().some(({ type }) => type === 'email.unsubscribed'));
    await tap.close();
    const scopes = ofMail().map(({ type, data }) => [type, (data as { scope?: string | null }).scope ?? null]);
    expect(scopes).toEqual(
      expect.arrayContaining([
        ['email.sent', null],
        ['email.unsubscribed', 'news'],
      ]),
    );
    const details = await call(email, `/api/v1/email/messages/${id}`, { key: tenant.key });
    expect(details.body['recipients']).toMatchObject([{ events: [{ type: 'unsubscribed', scope: 'news' }] }]);
  });
});

describe('row 27: a suppression with the scope "all"', () => {
  it.each(['bounced', 'complained', 'manual', 'unsubscribed'])('also stops transactional mail: %s', async (reason) => {
    const to = email.recipient();
    await email.rows(
      'INSERT INTO email.suppressions (organization_id, address_key, address, reason) VALUES ($1, $2, $2, $3)',
      [tenant.organizationId, to, reason],
    );
    for (const fields of [CODE, NEWS, OFFER]) expect(await statusOf(to, fields)).toBe('skipped');
  });

  it('is created by a hard bounce of any mail', async () => {
    const to = email.recipient();
    email.mailbox.behave({ reply: { code: 550, text: '5.1.1 no such user' } }, to);
    expect((await send(email, tenant.key, { ...NEWS, to })).status).toBe(502);
    expect(await suppressions(to)).toEqual([{ address: to, scope: 'all', reason: 'bounced' }]);
    expect(await statusOf(to, CODE)).toBe('skipped');
  });

  it('is created by a complaint about a mail of a list', async () => {
    const { to } = await mailOf(NEWS);
    await email.mailbox.complain(to);
    await until('the complaint is recorded', async () => (await suppressions(to)).length === 1);
    expect(await suppressions(to)).toEqual([{ address: to, scope: 'all', reason: 'complained' }]);
  });
});

describe('row 27: the scope of a template', () => {
  it('is the default of its sends, which can override it', async () => {
    const { slug } = await email.template(tenant.organizationId, { unsubscribeScope: 'transactional' });
    const variables = { name: 'Ann' };
    const own = await mailOf({ template: slug, variables });
    expect(own.mail.headers['list-unsubscribe']).toBeUndefined();
    const overridden = await mailOf({ template: slug, variables, unsubscribeScope: 'news' });
    await oneClick(headerLinkOf(overridden.mail));
    expect((await suppressions(overridden.to)).map(({ scope }) => scope)).toEqual(['news']);
  });
});

describe('row 27: the scope in a request', () => {
  it.each([1, true, {}, [], '', 'all', 'News', 'my list', '-news', 'news-', 'nëws', 'x'.repeat(64)])(
    'is INVALID_REQUEST if it is %j, and the message names the field',
    async (unsubscribeScope) => {
      const { status, body } = await send(email, tenant.key, { ...OFFER, to: email.recipient(), unsubscribeScope });
      expect([status, body['code']]).toEqual([400, 'INVALID_REQUEST']);
      expect(body['message']).toMatch(/^unsubscribeScope must be transactional, marketing, or the name of a list/);
    },
  );

  it.each(['x', '2', 'a-b', 'x'.repeat(63)])('can be the list %s', async (unsubscribeScope) => {
    const { to, mail } = await mailOf({ ...OFFER, unsubscribeScope });
    await oneClick(headerLinkOf(mail));
    expect((await suppressions(to)).map(({ scope }) => scope)).toEqual([unsubscribeScope]);
  });

  it('is described in the OpenAPI document', async () => {
    const { body } = await call(email, '/openapi.json');
    const { schemas } = (body as { components: { schemas: Record<string, { properties: object }> } }).components;
    expect(schemas['SendRequest']?.properties).toHaveProperty('unsubscribeScope');
    for (const name of ['V1SendRequest', 'V1BulkRequest', 'V1TemplateRequest', 'V1EmailCampaignRequest']) {
      expect(schemas[name]?.properties).toHaveProperty('unsubscribe_scope');
    }
  });
});
