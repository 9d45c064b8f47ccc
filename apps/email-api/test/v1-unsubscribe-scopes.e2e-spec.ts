import { newId } from '@heliograph/database';
import { until } from '@heliograph/testing';
import type { EmailFixture, EmailTenant } from './email-fixture';
import { V1Calls, type Fields } from './v1-calls';

const CONTENT = { subject: 'Hi', text: 'Hi' };
const SCOPE_ERROR = {
  status: 400,
  body: {
    code: 'INVALID_REQUEST',
    fields: [{ field: 'unsubscribe_scope', message: expect.stringMatching(/^unsubscribe_scope must be/) as string }],
  },
};

describe('row 27: unsubscribe_scope', () => {
  let v1: V1Calls;
  let email: EmailFixture;
  let tenant: EmailTenant;
  beforeAll(async () => {
    v1 = await V1Calls.start();
    ({ email } = v1);
  });
  beforeEach(async () => {
    tenant = await email.tenant();
  });

  const post = (path: string, body: unknown) => v1.post(path, body, tenant.key);
  const suppress = async (scope: string, address = email.recipient()) => {
    await email.rows(
      `INSERT INTO email.suppressions (organization_id, address_key, scope, address, reason)
       VALUES ($1, $2, $3, $2, 'unsubscribed')`,
      [tenant.organizationId, address, scope],
    );
    return address;
  };
  const headersOf = async (to: string) => {
    await until('the mail arrives', () => email.mailbox.mails(to).length === 1);
    return Object.keys((await email.mailbox.messagesTo(to))[0]!.headers);
  };
  const contact = async (address = email.recipient(), consent = 'unknown') => {
    await email.rows(
      `INSERT INTO contacts.contacts (id, organization_id, email, source, consent_email) VALUES ($1, $2, $3, 'api', $4)`,
      [newId(), tenant.organizationId, address, consent],
    );
    return address;
  };

  it.each([1, true, {}, [], '', 'all', 'My list', 'x'.repeat(64)])(
    'is rejected with its field name if it is %j, by every operation that accepts it',
    async (unsubscribe_scope) => {
      const to = email.recipient();
      const content = { ...CONTENT, unsubscribe_scope };
      expect(await post('/send', { ...content, to })).toMatchObject(SCOPE_ERROR);
      expect(await post('/bulk', { ...content, recipients: [{ to }] })).toMatchObject(SCOPE_ERROR);
      expect(await post('/quote', { ...content, to })).toMatchObject(SCOPE_ERROR);
      expect(await post('/templates', { ...content, slug: 'x', name: 'x' })).toMatchObject(SCOPE_ERROR);
      const audience = { filter: {} };
      expect(await post('/campaigns', { ...content, name: 'x', audience })).toMatchObject(SCOPE_ERROR);
      expect(await post('/campaigns/estimate', { ...content, audience })).toMatchObject(SCOPE_ERROR);
    },
  );

  it('controls the header and the suppressions of a send, and the quote returns the same result', async () => {
    const left = await suppress('news');
    const bounced = await suppress('all');
    const costs = async (to: string, fields: Fields) => {
      const body = { ...CONTENT, ...fields, to };
      const quote = await post('/quote', body);
      const sent = await post('/send', body);
      expect([quote.body['verdict'], quote.body['credits_cost']]).toEqual(['ok', sent.body['credits_cost']]);
      return sent.body['credits_cost'];
    };
    expect(await costs(left, { unsubscribe_scope: 'news' })).toBe(0);
    expect(await costs(left, { unsubscribe_scope: 'transactional' })).toBe(1);
    expect(await headersOf(left)).not.toContain('list-unsubscribe');
    expect(await costs(left, {})).toBe(1);
    for (const unsubscribe_scope of ['news', 'marketing', 'transactional']) {
      expect(await costs(bounced, { unsubscribe_scope })).toBe(0);
    }
  });

  it('preserves the List-Unsubscribe header of the caller in a transactional mail', async () => {
    const to = email.recipient();
    const own = { 'List-Unsubscribe': '<https://acme.example/leave>' };
    await post('/send', { ...CONTENT, to, headers: own, unsubscribe_scope: 'transactional' });
    const names = await headersOf(to);
    expect([names.includes('list-unsubscribe'), names.includes('list-unsubscribe-post')]).toEqual([true, false]);
  });

  it('applies to all recipients of a bulk send', async () => {
    const left = await suppress('news');
    const other = email.recipient();
    const statuses = async (unsubscribe_scope: string) => {
      const { body } = await post('/bulk', {
        ...CONTENT,
        unsubscribe_scope,
        recipients: [{ to: left }, { to: other }],
      });
      return (body['messages'] as { status: string }[]).map(({ status }) => status);
    };
    expect(await statuses('news')).toEqual(['skipped', 'queued']);
    expect(await statuses('transactional')).toEqual(['queued', 'queued']);
  });

  it('of a template is the default of its sends', async () => {
    const created = await post('/templates', {
      ...CONTENT,
      slug: 'code',
      name: 'Code',
      unsubscribe_scope: 'transactional',
    });
    expect(created.status).toBe(201);
    const left = await suppress('marketing');
    const to = email.recipient();
    expect((await post('/send', { template_id: 'code', to: left })).body['status']).toBe('queued');
    expect(await headersOf(left)).not.toContain('list-unsubscribe');
    expect(
      (await post('/send', { template_id: 'code', to: left, unsubscribe_scope: 'marketing' })).body['status'],
    ).toBe('skipped');
    await post('/send', { template_id: 'code', to, unsubscribe_scope: 'news' });
    expect(await headersOf(to)).toContain('list-unsubscribe');
  });

  it('of a campaign defaults to the scope of its template and then to marketing, also in the estimate', async () => {
    const fromNews = await suppress('news');
    const fromMarketing = await suppress('marketing');
    const never = await suppress('all');
    for (const address of [fromNews, fromMarketing, never, email.recipient()]) await contact(address);
    await contact(undefined, 'opted_out');
    const slug = (
      await email.template(tenant.organizationId, { ...CONTENT, html: null, unsubscribeScope: 'transactional' })
    ).slug;
    const reached = async (content: Fields) => {
      const request = { ...content, audience: { filter: {} } };
      const estimate = await post('/campaigns/estimate', request);
      const created = await post('/campaigns', { ...request, name: 'x' });
      const id = created.body['id'] as string;
      const read = async () => (await v1.get(`/campaigns/${id}`, tenant.key)).body;
      await until('the campaign is completed', async () => (await read())['status'] === 'completed');
      const { counts, skipped_reasons: reasons, content: stored } = await read();
      const { queued, skipped } = counts as { queued: number; skipped: number };
      expect([estimate.body['credits_cost'], estimate.body['skipped']]).toEqual([queued, skipped]);
      expect(stored).toEqual(content);
      const rows = await email.rows<{ address: string }>(
        `SELECT r.address FROM email.recipients AS r WHERE r.campaign_id = $1 AND r.state <> 'skipped'`,
        [id],
      );
      const to = new Set(rows.map(({ address }) => address));
      return [reasons, [fromNews, fromMarketing, never].map((address) => to.has(address))];
    };
    const reasons = (suppressed: number) => ({ opted_out: 1, suppressed, no_address: 0, invalid: 0, duplicate: 0 });
    expect(await reached(CONTENT)).toEqual([reasons(2), [true, false, false]]);
    expect(await reached({ ...CONTENT, unsubscribe_scope: 'news' })).toEqual([reasons(2), [false, true, false]]);
    expect(await reached({ template_id: slug })).toEqual([reasons(1), [true, true, false]]);
    expect(await reached({ template_id: slug, unsubscribe_scope: 'news' })).toEqual([reasons(2), [false, true, false]]);
  });

  it('allows the html of a campaign to contain the link of each contact', async () => {
    const ann = await contact();
    const bob = await contact();
    const html = '<p>{{ first_name }}</p><a href="{{ unsubscribe_url }}">Leave</a>';
    await post('/campaigns', { name: 'x', subject: 'Hi', html, audience: { filter: {} } });
    const links: string[] = [];
    for (const to of [ann, bob]) {
      await until('the mail arrives', () => email.mailbox.mails(to).length === 1);
      const [mail] = await email.mailbox.messagesTo(to);
      links.push(/<a href="([^"]*)">Leave/.exec(mail?.html ?? '')?.[1] ?? '');
    }
    for (const link of links) expect(link).toMatch(/^https:\/\/track\.heliograph\.example\/email\/u\/[\w-]{40}$/);
    expect(new Set(links).size).toBe(2);
  });
});
