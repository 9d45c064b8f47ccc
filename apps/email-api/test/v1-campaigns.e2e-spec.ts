import { newId } from '@heliograph/database';
import { until } from '@heliograph/testing';
import { sendOk } from './calls';
import type { EmailFixture, EmailTenant } from './email-fixture';
import { V1Calls, type Fields } from './v1-calls';

interface Campaign extends Fields {
  id: string;
  status: string;
  counts: Record<string, number>;
  credits_spent: number;
}

describe('/api/v1/email/campaigns', () => {
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

  const contact = async (fields: Fields = {}) => {
    const row: Fields = {
      id: newId(),
      organization_id: tenant.organizationId,
      email: email.recipient(),
      source: 'api',
      ...fields,
    };
    const columns = Object.keys(row);
    await email.rows(
      `INSERT INTO contacts.contacts (${columns.join(', ')}) VALUES (${columns.map((_, n) => `$${n + 1}`).join(', ')})`,
      Object.values(row),
    );
    return row as { id: string; email: string };
  };
  const request = (fields: Fields = {}): Fields => ({
    name: 'News',
    subject: 'Hello {{ first_name | default: "friend" }}',
    audience: { filter: {} },
    html: '<p>{{ attributes.plan }} <a href="https://x.example/">x</a></p>',
    ...fields,
  });
  const post = async (path: string, body: unknown = {}) => {
    const answer = await v1.post(`/campaigns${path}`, body, tenant.key);
    return { status: answer.status, body: answer.body as Campaign & { code: string; fields?: { field: string }[] } };
  };
  const create = async (fields: Fields = {}) => {
    const { status, body } = await post('', request(fields));
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body;
  };
  const read = async (id: string) => (await v1.get(`/campaigns/${id}`, tenant.key)).body as Campaign;
  const reached = (id: string, status: string) => until(status, async () => (await read(id)).status === status);

  it('sends each contact its own email once, and counts the events', async () => {
    const ann = await contact({ first_name: 'Ann', attributes: { plan: '<pro>' } });
    const bob = await contact();
    await contact({ consent_email: 'opted_out' });
    await contact({ email: null, phone: '+919811111111' });
    const dead = await contact();
    await email.rows(
      `INSERT INTO email.suppressions (organization_id, address_key, address, reason) VALUES ($1, $2, $2, 'manual')`,
      [tenant.organizationId, dead.email],
    );
    const refused = await contact();
    email.mailbox.behave({ reply: { code: 550, text: '5.1.1 no such user' } }, refused.email);
    const before = await email.balance(tenant.workspaceId);
    expect(await post('/estimate', { ...request(), name: undefined })).toMatchObject({
      status: 200,
      body: { audience: 6, skipped: 3, credits_cost: 3, credits_available: before },
    });
    const { id } = await create({ tags: ['news'] });
    await reached(id, 'completed');
    await until('the results are recorded', async () => {
      const { sent, failed } = (await read(id)).counts;
      return sent === 2 && failed === 1;
    });
    expect(await read(id)).toMatchObject({
      counts: { audience: 6, queued: 3, sent: 2, failed: 1, skipped: 3, bounced: 0 },
      skipped_reasons: { opted_out: 1, suppressed: 1, no_address: 1, invalid: 0, duplicate: 0 },
      credits_spent: 2,
    });
    expect(await email.balance(tenant.workspaceId)).toBe(before - 2);
    const [toAnn] = await email.mailbox.messagesTo(ann.email);
    expect([toAnn?.subject, (await email.mailbox.messagesTo(bob.email))[0]?.subject]).toEqual([
      'Hello Ann',
      'Hello friend',
    ]);
    expect(toAnn?.html).toContain('&lt;pro&gt;');
    const link = /href="([^"]+\/c\/[^"]+)"/.exec(toAnn?.html ?? '')?.[1];
    const visit = await fetch(`${email.url}${new URL(link!).pathname}`, { redirect: 'manual' });
    expect(visit.status).toBe(302);
    await until('the click is counted', async () => (await read(id)).counts['clicked'] === 1);
    expect(await v1.listed(`/messages?campaign_id=${id}`, tenant.key)).toHaveLength(3);
  });

  it('sends a template with variables of the campaign', async () => {
    const template = await email.template(tenant.organizationId, { subject: '{{ greeting }}, {{ last_name }}' });
    const ann = await contact({ first_name: 'Ann', last_name: 'Smith' });
    const content = { subject: undefined, html: undefined, template_id: template.id };
    expect(await post('', request(content))).toMatchObject({
      status: 400,
      body: { code: 'MISSING_VARIABLES', fields: [{ field: 'variables' }] },
    });
    const variables = { greeting: 'Dear {{ first_name }}', name: 'x' };
    const { id } = await create({ ...content, variables });
    await reached(id, 'completed');
    await until('the mail arrives', () => email.mailbox.mails(ann.email).length === 1);
    expect((await email.mailbox.messagesTo(ann.email))[0]?.subject).toBe('Dear Ann, Smith');
  });

  it('skips a contact whose email would be empty', async () => {
    await contact({ language: 'de' });
    await contact({ language: 'en' });
    const { id } = await create({ html: '{% unless language == "de" %}Hello{% endunless %}' });
    await reached(id, 'completed');
    expect((await read(id)) as unknown).toMatchObject({ counts: { queued: 1 }, skipped_reasons: { invalid: 1 } });
  });

  it('names the part, line and column of a mistake in Liquid, in campaigns, estimates and templates', async () => {
    for (const path of ['', '/estimate']) {
      const body = { ...request({ html: '<p>\n{% if first_name %}x</p>' }) };
      if (path !== '') delete body['name'];
      expect(await post(path, body)).toMatchObject({
        status: 400,
        body: {
          code: 'INVALID_TEMPLATE',
          fields: [
            {
              field: 'html',
              message: expect.stringContaining('html, line 2, column 1: tag {% if first_name %}') as string,
            },
          ],
        },
      });
    }
    expect(await post('', request({ variables: { greeting: 'Hi\n {{ first_name' } }))).toMatchObject({
      status: 400,
      body: {
        fields: [
          {
            field: 'variables.greeting',
            message: expect.stringContaining('variables.greeting, line 2, column 2') as string,
          },
        ],
      },
    });
    for (const [part, source] of [
      ['subject', 'Hi {{ name | nope }}'],
      ['text', '{% if x %}'],
    ] as const) {
      const template = { slug: 'faulty', name: 'Faulty', html: '<p>x</p>', [part]: source };
      const answer = await v1.post('/templates', template, tenant.key);
      expect([answer.status, answer.body['fields']]).toMatchObject([
        400,
        [{ field: part, message: expect.stringContaining(`${part}, line 1, column`) as string }],
      ]);
    }
  });

  it.each<[string, Fields]>([
    ['subject', { subject: '{{ attributes.offer }}' }],
    ['html', { html: '{{ attributes.offer | raw }}' }],
    ['html beside a template with a body', { html: '{{ attributes.offer | raw }}', template_id: 'with-body' }],
    ['html and text', { html: '{{ attributes.offer }}', text: ' {{ attributes.offer }}\n' }],
  ])('skips contacts for whom the %s would be empty', async (_what, content) => {
    await email.template(tenant.organizationId, { slug: 'with-body', html: '<p>Hi</p>', text: null });
    await contact({ attributes: {} });
    const bob = await contact({ attributes: { offer: 'Half price' } });
    const fields = request(content);
    const estimate = await post('/estimate', { ...fields, name: undefined });
    expect(estimate).toMatchObject({ status: 200, body: { audience: 2, skipped: 1, credits_cost: 1 } });
    const { id } = await create(fields);
    await reached(id, 'completed');
    expect(await read(id)).toMatchObject({
      counts: { audience: 2, queued: 1, sent: 1, skipped: 1 },
      skipped_reasons: { invalid: 1 },
    });
    expect(email.mailbox.mails(bob.email)).toHaveLength(1);
  });

  it('estimates content that consists of fields of contacts without any contact', async () => {
    const fields = { subject: '{{ first_name }}', html: '{{ email }}', audience: { filter: {} } };
    expect(await post('/estimate', fields)).toMatchObject({
      status: 200,
      body: { audience: 0, skipped: 0, segments: 0, credits_cost: 0 },
    });
  });

  it('refuses a time in the past as a send does', async () => {
    const answer = await v1.post('/campaigns', request({ scheduled_at: '2020-01-01T00:00:00Z' }), tenant.key);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'INVALID_SEND_TIME', fields: [{ field: 'scheduled_at' }] },
    });
  });

  it('skips a contact whose fields result in text that cannot be stored', async () => {
    await contact({ first_name: '😀Ann' });
    const bob = await contact({ first_name: 'Bob' });
    const { id } = await create({ html: undefined, text: 'Hi {{ first_name | split: "" | first }}' });
    await reached(id, 'completed');
    expect(await read(id)).toMatchObject({ counts: { queued: 1, skipped: 1 }, skipped_reasons: { invalid: 1 } });
    await until('the mail arrives', () => email.mailbox.mails(bob.email).length === 1);
  });

  it('pauses when the credits run out', async () => {
    const poor = await email.tenant({ credits: 1 });
    tenant = poor;
    await contact();
    await contact();
    const { id } = await create();
    await reached(id, 'paused');
    expect(await read(id)).toMatchObject({ error: { code: 'INSUFFICIENT_CREDITS' }, counts: { queued: 1 } });
    expect(await email.balance(tenant.workspaceId)).toBe(0);
  });

  it.each(['start', 'pause', 'resume', 'cancel'])(
    'documents the answer to %s with an invalid Idempotency-Key',
    async (action) => {
      const { id } = await create({ draft: true });
      const headers = { 'Idempotency-Key': 'x'.repeat(1_000) };
      const answer = await v1.post(`/campaigns/${id}/${action}`, {}, tenant.key, headers);
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
    },
  );

  it('does not count emails that belong to no campaign', async () => {
    await sendOk(email, tenant.key, { to: email.recipient(), subject: 'x', text: 'x' });
    const { id } = await create({ draft: true });
    expect((await read(id)).counts).toMatchObject({ audience: 0, queued: 0, sent: 0 });
  });

  it.each<[string, Fields, string]>([
    ['a missing subject', { subject: undefined }, 'subject'],
    ['an invalid template', { html: '<p>{% if %}</p>' }, 'html'],
    ['an unknown template', { template_id: 'nothing' }, 'template_id'],
    ['an unknown variable', { text: '{{ shoe_size }}' }, 'variables'],
    ['an unknown sender', { from: 'nobody@nowhere.example' }, 'from'],
  ])('rejects a campaign with %s', async (_what, fields, field) => {
    const { status, body } = await post('', request(fields));
    expect([status >= 400 && status < 500, body.fields?.[0]?.field ?? field]).toEqual([true, field]);
    expect(await v1.listed('/campaigns', tenant.key)).toEqual([]);
  });
});
