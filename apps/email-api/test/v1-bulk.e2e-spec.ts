import { limitsConfig } from '@heliograph/tenancy';
import { until } from '@heliograph/testing';
import type { EmailFixture, EmailTenant } from './email-fixture';
import { SCHEDULED, V1Calls, type Fields } from './v1-calls';

const CONTENT = { subject: 'Hi', text: 'Hi' };

/** The default of LIMITS_EMAIL_TEMPLATES. */
const MOST_TEMPLATES = limitsConfig('LIMITS_EMAIL_TEMPLATES').LIMITS_EMAIL_TEMPLATES.parse(undefined);

describe('/api/v1/email', () => {
  let v1: V1Calls;
  let email: EmailFixture;
  let tenant: EmailTenant;
  beforeAll(async () => {
    v1 = await V1Calls.start();
    ({ email, tenant } = v1);
  });

  describe('POST /bulk', () => {
    it('accepts many variables for each of 1,000 recipients', async () => {
      const variables = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`v${index}`, 'x']));
      const recipients = Array.from({ length: 1_000 }, () => ({ to: email.recipient(), variables }));
      // The send is scheduled, so that no mail is submitted.
      const rich = await email.tenant({ credits: 1_000 });
      const { status, body } = await v1.post('/bulk', { ...CONTENT, recipients, scheduled_at: SCHEDULED }, rich.key);
      expect([status, body['accepted']]).toEqual([202, 1_000]);
    });

    it('returns results in the order of the request, with merged variables, repeated addresses, and rejections', async () => {
      const template = await email.template(tenant.organizationId, { subject: '{{ greeting }} {{ name }}' });
      const a = email.recipient();
      const b = email.recipient();
      const c = email.recipient();
      const d = email.recipient();
      await email.rows(
        `INSERT INTO email.suppressions (organization_id, address_key, address, reason) VALUES ($1, $2, $2, 'manual')`,
        [tenant.organizationId, d],
      );
      const before = await email.balance(tenant.workspaceId);
      const answer = await v1.post('/bulk', {
        template_id: template.id,
        variables: { greeting: 'Hello', name: 'you' },
        reference: 'of all',
        recipients: [
          { to: a, reference: 'first' },
          { to: 'nonsense' },
          { to: b, variables: { name: 'Bob' } },
          { to: a.toUpperCase() },
          { to: 5 },
          'text',
          { to: c, variables: 'x' },
          { to: d },
        ],
      });
      const ok = { status: 'queued', credits_cost: 1, id: expect.any(String) as string };
      const error = (code: string) => ({ error: { code, message: expect.any(String) as string } });
      expect(answer.status).toBe(202);
      expect(answer.body).toEqual({
        id: expect.any(String) as string,
        accepted: 3,
        rejected: 4,
        credits_cost: 2,
        credits_remaining: before - 2,
        messages: [
          { to: a, ...ok },
          { to: 'nonsense', ...error('INVALID_RECIPIENT') },
          { to: b, ...ok },
          { to: a, ...ok },
          { to: null, ...error('INVALID_RECIPIENT') },
          { to: null, ...error('INVALID_RECIPIENT') },
          { to: c, ...error('INVALID_REQUEST') },
          { to: d, ...ok, status: 'skipped', credits_cost: 0 },
        ],
      });
      expect(await email.balance(tenant.workspaceId)).toBe(before - 2);
      await until('each mail arrives', () => [a, b].every((to) => email.mailbox.mails(to).length === 1));
      expect((await email.mailbox.messagesTo(b))[0]?.subject).toBe('Hello Bob');
      expect(await v1.listed('/messages?reference=first')).toMatchObject([{ to: [a], subject: 'Hello you' }]);
      expect(await v1.listed('/messages?reference=of%20all')).toHaveLength(2);
    });

    it('charges all recipients or none, and stores no Idempotency-Key for a rejected call', async () => {
      const poor = await email.tenant({ credits: 2 });
      const a = email.recipient();
      const b = email.recipient();
      const c = email.recipient();
      const headers = { 'Idempotency-Key': 'bulk-1' };
      const send = (to: string[]) =>
        v1.post('/bulk', { ...CONTENT, recipients: to.map((one) => ({ to: one })) }, poor.key, headers);
      expect(await send([a, b, c])).toMatchObject({ status: 402, body: { code: 'INSUFFICIENT_CREDITS' } });
      expect(await email.balance(poor.workspaceId)).toBe(2);
      expect(await v1.listed('/messages', poor.key)).toEqual([]);
      const accepted = await send([a, b]);
      expect(accepted).toMatchObject({ status: 202, body: { accepted: 2, credits_remaining: 0 } });
      const again = await send([a, b]);
      expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
        202,
        accepted.body,
        'true',
      ]);
      expect(await email.balance(poor.workspaceId)).toBe(0);
    });

    it('stores the results of recipients that are not valid text with the Idempotency-Key', async () => {
      const own = await email.tenant({ credits: 2 });
      const recipients = [{ to: email.recipient() }, { to: 'a\0' }, { to: 'b\ud83d' }, { to: `${'c'.repeat(253)}😀` }];
      const send = () => v1.post('/bulk', { ...CONTENT, recipients }, own.key, { 'Idempotency-Key': 'bulk-2' });
      const accepted = await send();
      expect(accepted).toMatchObject({ status: 202, body: { accepted: 1, rejected: 3 } });
      const [, ...rejected] = accepted.body['messages'] as Fields[];
      expect(rejected.map(({ to }) => to)).toEqual(['a\ufffd', 'b\ufffd', `${'c'.repeat(253)}\ufffd`]);
      const again = await send();
      expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
        202,
        accepted.body,
        'true',
      ]);
    });

    it.each<[string, unknown, Fields, number, string]>([
      ['an empty list', [], {}, 400, 'INVALID_REQUEST'],
      ['1,001 recipients', Array.from({ length: 1_001 }, () => ({ to: 'a@b.example' })), {}, 400, 'INVALID_REQUEST'],
      ['no valid recipient', [{ to: 'x' }, {}], {}, 400, 'INVALID_REQUEST'],
      ['an unknown template', [{ to: 'a@b.example' }], { template_id: 'none' }, 400, 'INVALID_TEMPLATE'],
      ['a missing subject', [{ to: 'a@b.example' }], { subject: null }, 400, 'SUBJECT_REQUIRED'],
      ['a missing body', [{ to: 'a@b.example' }], { text: null }, 400, 'BODY_REQUIRED'],
      ['no valid recipient before an unknown sender', [{ to: 'x' }], { from: 'a@b.example' }, 400, 'INVALID_REQUEST'],
      ['an unknown sender', [{ to: 'a@b.example' }], { from: 'a@b.example' }, 409, 'SENDER_NOT_VERIFIED'],
      [
        'more content than one call can store',
        Array.from({ length: 1_000 }, (_, i) => ({ to: `a${i}@b.example` })),
        { html: 'x'.repeat(100_000) },
        413,
        'PAYLOAD_TOO_LARGE',
      ],
    ])('rejects %s completely', async (_what, recipients, fields, status, code) => {
      const answer = await v1.post('/bulk', { ...CONTENT, ...fields, recipients });
      expect(answer).toMatchObject({ status, body: { code } });
    });

    it('names the fields of the recipients if none is valid', async () => {
      const recipients = [{ to: 'x' }, 'text', { to: 'a@b.example', reference: 1 }];
      const { body } = await v1.post('/bulk', { ...CONTENT, recipients });
      expect((body['fields'] as Fields[]).map(({ field }) => field)).toEqual([
        'recipients[0].to',
        'recipients[1]',
        'recipients[2].reference',
      ]);
    });

    it('accepts 1,000 recipients', async () => {
      const own = await email.tenant({ credits: 1_000 });
      const recipients = Array.from({ length: 1_000 }, (_, i) => ({ to: `a${i}@many.example` }));
      const answer = await v1.post('/bulk', { ...CONTENT, scheduled_at: SCHEDULED, recipients }, own.key);
      expect(answer).toMatchObject({ status: 202, body: { accepted: 1_000, rejected: 0, credits_remaining: 0 } });
    });
  });

  describe('GET /messages and /messages/:id', () => {
    it('list the newest messages first, in pages, with every filter', async () => {
      const own = await email.tenant();
      const to = email.recipient();
      for (let i = 0; i < 3; i++) {
        const body = {
          to: [to, email.recipient()],
          subject: `Hi ${i}`,
          text: 'Hi',
          tags: [`t${i}`],
          scheduled_at: SCHEDULED,
        };
        await v1.post('/send', body, own.key);
      }
      const first = await v1.get('/messages?limit=2', own.key);
      expect(first.body['data']).toMatchObject([{ subject: 'Hi 2' }, { subject: 'Hi 1' }]);
      const second = await v1.get(`/messages?limit=2&cursor=${String(first.body['next_cursor'])}`, own.key);
      expect(second.body).toEqual({ data: [expect.objectContaining({ subject: 'Hi 0' }) as object] });
      const [sender] = await email.rows<{ id: string }>('SELECT id FROM email.senders WHERE organization_id = $1', [
        own.organizationId,
      ]);
      for (const [filter, count] of [
        ['status=scheduled', 3],
        ['status=sent', 0],
        [`to=${encodeURIComponent(to.toUpperCase())}`, 3],
        ['to=nobody@example.com', 0],
        ['tag=t1', 1],
        [`sender_id=${sender!.id}`, 3],
        [`sender_id=${own.workspaceId}`, 0],
        [`workspace_id=${own.workspaceId}`, 3],
        [`campaign_id=${own.workspaceId}`, 0],
        ['from=2099-01-01T00:00:00Z', 0],
        ['until=2099-01-01T00:00:00Z', 3],
        ['from=2099-01-01T00:00:00%2B23:59', 0],
        ['until=2099-01-01T00:00:00-16:00', 3],
      ] as const) {
        expect([filter, (await v1.listed(`/messages?${filter}`, own.key)).length]).toEqual([filter, count]);
      }
      for (const id of [tenant.workspaceId, 'x', '']) {
        for (const list of ['messages', 'campaigns']) {
          expect(await v1.get(`/${list}?workspace_id=${id}`, own.key)).toMatchObject({
            status: 404,
            body: { code: 'NOT_FOUND' },
          });
        }
      }
    });

    it.each([
      ['limit=0', 'limit'],
      ['cursor=x', 'cursor'],
      ['status=open', 'status'],
      ['to=x', 'to'],
      ['campaign_id=x', 'campaign_id'],
      ['until=tomorrow', 'until'],
    ])('reject ?%s and name the field', async (query, field) => {
      expect(await v1.get(`/messages?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REQUEST', fields: [{ field }] },
      });
    });

    it('return 404 for an unknown id, an id of another organization, and an id of another workspace', async () => {
      const other = await email.tenant();
      const sent = await v1.post('/send', { to: email.recipient(), ...CONTENT });
      const id = String(sent.body['id']);
      const workspace = await email.tenants.workspace(tenant.organizationId);
      const bound = await email.tenants.key(tenant.organizationId, { workspaceId: workspace.id });
      for (const [path, key] of [
        ['nonsense', tenant.key],
        [tenant.workspaceId, tenant.key],
        [id, other.key],
        [id, bound],
      ] as const) {
        expect(await v1.get(`/messages/${path}`, key)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      }
      expect(await v1.listed('/messages', bound)).toEqual([]);
    });
  });

  describe('/templates', () => {
    it('creates a template, audits it, and lists the newest first', async () => {
      const own = await email.tenant();
      const earlier = await email.template(own.organizationId);
      const body = {
        slug: 'order-shipped',
        name: 'Order shipped',
        subject: 'Hi {{ name }}',
        html: '<p>{{ order.id }}</p>',
      };
      const headers = { 'Idempotency-Key': 'template-1' };
      const created = await v1.post('/templates', body, own.key, headers);
      expect(created.status).toBe(201);
      const instant = expect.stringMatching(/\.\d{3}Z$/) as string;
      expect(created.body).toEqual({
        id: expect.any(String) as string,
        slug: 'order-shipped',
        name: 'Order shipped',
        subject: 'Hi {{ name }}',
        variables: ['name', 'order'],
        created_at: instant,
        updated_at: instant,
      });
      expect((await v1.post('/templates', body, own.key, headers)).body).toEqual(created.body);
      expect((await v1.listed('/templates', own.key)).map(({ id }) => id)).toEqual([created.body['id'], earlier.id]);
      expect(await v1.post('/templates', body, own.key)).toMatchObject({ status: 409, body: { code: 'NAME_TAKEN' } });
      const entries = await email.rows('SELECT action, before, after FROM audit.entries WHERE organization_id = $1', [
        own.organizationId,
      ]);
      const after = { ...body, text: null, unsubscribeScope: null };
      expect(entries).toEqual([{ action: 'email.template.created', before: null, after }]);
    });

    it('returns 409 LIMIT_REACHED if the organization already has the maximum number of templates', async () => {
      const own = await email.tenant();
      const { id } = await email.template(own.organizationId);
      await email.rows(
        `INSERT INTO email.templates (id, organization_id, slug, name, text, variables)
         SELECT gen_random_uuid(), organization_id, 'copy-' || n, name, 'Hi', '{}'
         FROM email.templates, generate_series(2, $2::integer) AS n WHERE id = $1`,
        [id, MOST_TEMPLATES],
      );
      const body = { slug: 'one-more', name: 'One more', text: 'Hi' };
      expect(await v1.post('/templates', body, own.key)).toMatchObject({
        status: 409,
        body: { code: 'LIMIT_REACHED' },
      });
      await email.rows(`DELETE FROM email.templates WHERE organization_id = $1 AND slug = 'copy-2'`, [
        own.organizationId,
      ]);
      expect((await v1.post('/templates', body, own.key)).status).toBe(201);
    });

    it.each<[string, Fields, string, string]>([
      ['a missing slug', { name: 'x', text: 'x' }, 'INVALID_REQUEST', 'slug'],
      ['a slug with spaces', { slug: 'a b', name: 'x', text: 'x' }, 'INVALID_REQUEST', 'slug'],
      ['a template without content', { slug: 'a', name: 'x' }, 'INVALID_REQUEST', 'subject'],
      ['a number as html', { slug: 'a', name: 'x', html: 1 }, 'INVALID_REQUEST', 'html'],
      ['invalid Liquid', { slug: 'a', name: 'x', html: '{% if %}' }, 'INVALID_TEMPLATE', 'html'],
      ['a subject with CRLF', { slug: 'a', name: 'x', subject: 'a\r\nb', html: 'x' }, 'INVALID_TEMPLATE', 'subject'],
      [
        'a bad tag in the subject',
        { slug: 'a', name: 'x', subject: '{% if %}', html: 'x' },
        'INVALID_TEMPLATE',
        'subject',
      ],
      ['a bad tag in the text', { slug: 'a', name: 'x', html: 'x', text: '{% if %}' }, 'INVALID_TEMPLATE', 'text'],
    ])('rejects %s', async (_what, body, code, field) => {
      expect(await v1.post('/templates', body)).toMatchObject({ status: 400, body: { code, fields: [{ field }] } });
    });
  });
});
