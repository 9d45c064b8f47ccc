import { unique } from '@heliograph/testing';
import type {
  EmailPreview,
  EmailTemplatePage,
  EmailTemplateRecord,
  OneEmailTemplate,
} from '../src/channels/email/templates/templates.dto';
import { AccountFixture, type Tenant } from './account-fixture';

const TEMPLATES = '/api/organization/email/templates';

describe('an email template', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
  });

  const create = (body: object) =>
    fixture.call<OneEmailTemplate>('POST', TEMPLATES, {
      key: tenant.key,
      body: { slug: unique(), name: 'Order shipped', text: 'Hello', ...body },
    });
  const made = async (body: object = {}): Promise<EmailTemplateRecord> => (await create(body)).data.template;
  const change = (id: string, body: object) =>
    fixture.call<OneEmailTemplate>('PATCH', `${TEMPLATES}/${id}`, { key: tenant.key, body });
  const preview = (body: object, path = `${TEMPLATES}/preview`) =>
    fixture.call<EmailPreview>('POST', path, { key: tenant.key, body });

  it('has a slug and three parts and lists its required variables', async () => {
    const parts = {
      subject: 'Order {{ order.id }}',
      html: '{% if coupon %}{{ coupon }}{% endif %}<p>{{ name }}</p>',
      text: '{{ name }} {{ nick | default: "you" }}',
    };
    const slug = unique();
    const { status, data } = await create({ slug, ...parts });
    const { id, createdAt, updatedAt } = data.template;
    expect(status).toBe(201);
    expect(data.template).toEqual({
      id,
      slug,
      name: 'Order shipped',
      ...parts,
      unsubscribeScope: null,
      createdAt,
      updatedAt,
      variables: ['order', 'coupon', 'name', 'nick'],
      requiredVariables: ['order', 'name'],
    });
    expect((await fixture.call('GET', `${TEMPLATES}/${id}`, { key: tenant.key })).data).toEqual(data);
  });

  it('is audited with each update, with a hash instead of a long body', async () => {
    const template = await made({ html: '<p>{{ a }}</p>' });
    const { data } = await change(template.id, { html: '<p>{{ b }}</p>', text: null, subject: 'Hi' });
    expect(data.template).toEqual({
      ...template,
      html: '<p>{{ b }}</p>',
      text: null,
      subject: 'Hi',
      updatedAt: data.template.updatedAt,
      variables: ['b'],
      requiredVariables: ['b'],
    });
    await change(template.id, { html: 'x'.repeat(20_000) });
    await fixture.call('DELETE', `${TEMPLATES}/${template.id}`, { key: tenant.key });
    const log = await fixture.call<{ entries: { action: string; before: object; after: object }[] }>(
      ...(['GET', `/api/organization/audit-log?targetId=${template.id}`, { key: tenant.key }] as const),
    );
    const digest = expect.stringMatching(/^20000 characters, SHA-256 [0-9a-f]{64}$/) as string;
    const [created, ...changes] = log.data.entries.toReversed();
    expect(created).toMatchObject({ action: 'email.template.created', after: { html: '<p>{{ a }}</p>' } });
    expect(changes.map(({ before, after }) => [before, after])).toEqual([
      [
        { html: '<p>{{ a }}</p>', text: 'Hello', subject: null },
        { html: '<p>{{ b }}</p>', text: null, subject: 'Hi' },
      ],
      [{ html: '<p>{{ b }}</p>' }, { html: digest }],
      [expect.objectContaining({ html: digest }), null],
    ]);
  });

  it('row 27: has the unsubscribe scope of its emails, which can be changed and cleared', async () => {
    const template = await made({ unsubscribeScope: 'transactional' });
    expect(template.unsubscribeScope).toBe('transactional');
    const after = async (body: object) => (await change(template.id, body)).data.template.unsubscribeScope;
    expect([await after({ name: 'x' }), await after({ unsubscribeScope: 'news' })]).toEqual(['transactional', 'news']);
    expect(await after({ unsubscribeScope: null })).toBeNull();
    for (const unsubscribeScope of ['all', 'My list', '', 1, 'x'.repeat(64)]) {
      for (const { status, error } of [
        await create({ unsubscribeScope }),
        await change(template.id, { unsubscribeScope }),
      ]) {
        expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
        expect(error.message).toMatch(/^unsubscribeScope: must be transactional, marketing, or the name of a list/);
      }
    }
  });

  it('row 27: needs no value for {{ unsubscribe_url }}, which a preview shows as its tag', async () => {
    const template = await made({
      html: '<a href="{{ unsubscribe_url }}">{{ name }}</a>',
      text: '{{ unsubscribe_url }}',
    });
    expect([template.variables, template.requiredVariables]).toEqual([['name'], ['name']]);
    const { data } = await preview({ variables: { name: 'Leave' } }, `${TEMPLATES}/${template.id}/preview`);
    expect(data).toEqual({
      subject: null,
      html: '<a href="{{ unsubscribe_url }}">Leave</a>',
      text: '{{ unsubscribe_url }}',
      variables: ['name'],
      missing: [],
    });
  });

  it('can be deleted', async () => {
    const { id } = await made();
    const remove = () => fixture.call('DELETE', `${TEMPLATES}/${id}`, { key: tenant.key });
    expect(await remove()).toMatchObject({ status: 200, data: { template: { id } } });
    expect((await remove()).status).toBe(404);
    expect((await change(id, { name: 'Again' })).status).toBe(404);
  });

  it('can be read, corrected and deleted if it was stored under earlier limits', async () => {
    const one = await made();
    const other = await made();
    await fixture.database.query(
      `UPDATE email.templates SET text = '{{ a | gone }}', variables = '{a}' WHERE id IN ($1, $2)`,
      [one.id, other.id],
    );
    const read = await fixture.call<OneEmailTemplate>('GET', `${TEMPLATES}/${one.id}`, { key: tenant.key });
    expect(read.data.template).toMatchObject({ text: '{{ a | gone }}', requiredVariables: ['a'] });
    expect((await change(one.id, { text: '{{ b }}' })).data.template.requiredVariables).toEqual(['b']);
    expect((await fixture.call('DELETE', `${TEMPLATES}/${other.id}`, { key: tenant.key })).status).toBe(200);
  });

  it('has a unique slug', async () => {
    const one = await made();
    const other = await made();
    const taken = { status: 409, error: { code: 'NAME_TAKEN' } };
    expect(await create({ slug: one.slug })).toMatchObject(taken);
    expect(await change(other.id, { slug: one.slug })).toMatchObject(taken);
  });

  it('is created once per Idempotency-Key', async () => {
    const body = { slug: unique(), name: 'x', text: 'x' };
    const call = { key: tenant.key, body, headers: { 'idempotency-key': unique() } };
    const first = await fixture.call('POST', TEMPLATES, call);
    const again = await fixture.call('POST', TEMPLATES, call);
    expect([again.status, again.data]).toEqual([201, first.data]);
  });

  it.each([
    ['slug', { slug: '' }],
    ['slug', { slug: 'Order Shipped' }],
    ['slug', { slug: '-x' }],
    ['slug', { slug: 'x'.repeat(64) }],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(201) }],
    ['subject', { subject: 7 }],
    ['subject', { subject: 'x'.repeat(999) }],
    ['html', { html: 'a\0' }],
    ['html', { html: 'x'.repeat(600_000) }],
    ['text', { text: ['x'] }],
    ['subject, html, text', { text: null }],
  ])('is rejected with a message about %s %#', async (field, body) => {
    const { status, error } = await create(body);
    expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(error.message).toMatch(new RegExp(`^${field}: `));
  });

  it.each([
    [{ html: '<p>\n{{ a' }, 'html, line 2, column 1: '],
    [{ text: '{% include "x" %}' }, 'text, line 1, column 1: '],
    [{ subject: 'a\r\nBcc: b' }, 'subject: must be one line'],
  ])('is rejected with the position of the error: %j', async (body, message) => {
    const { status, error } = await create(body);
    expect([status, error.code]).toEqual([400, 'INVALID_TEMPLATE']);
    expect(error.message).toContain(message);
    const { id } = await made();
    expect(await change(id, body)).toMatchObject({ status: 400, error: { code: 'INVALID_TEMPLATE' } });
  });

  it('is listed in pages without its bodies', async () => {
    const { key } = await fixture.tenant();
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      const body = { slug: `t-${i}`, name: 'x', html: 'long', subject: '{{ a }}' };
      ids.push((await fixture.call<OneEmailTemplate>('POST', TEMPLATES, { key, body })).data.template.id);
    }
    const list = async (query: string) =>
      (await fixture.call<EmailTemplatePage>('GET', `${TEMPLATES}?${query}`, { key })).data;
    const first = await list('limit=2');
    const second = await list(`limit=2&cursor=${first.nextCursor}`);
    expect([...first.templates, ...second.templates].map(({ id }) => id)).toEqual(ids);
    const fields = ['id', 'slug', 'name', 'subject', 'unsubscribeScope', 'variables', 'createdAt', 'updatedAt'];
    expect(Object.keys(first.templates[0]!).sort()).toEqual(fields.sort());
    expect(first.templates[0]).toMatchObject({ slug: 't-0', variables: ['a'] });
  });

  describe('in a preview', () => {
    it('is rendered in the same way as for a send', async () => {
      const body = { subject: 'Hi {{ name }}', html: '<p>{{ name }}</p>', variables: { name: 'Ann & Bob' } };
      const { status, data } = await preview(body);
      expect(status).toBe(200);
      expect(data).toEqual({
        subject: 'Hi Ann & Bob',
        html: '<p>Ann &amp; Bob</p>',
        text: 'Ann & Bob',
        variables: ['name'],
        missing: [],
      });
    });

    it('lists missing variables and shows them as placeholders', async () => {
      const { data } = await preview({ text: '{{ a }} {{ b | default: "x" }} {{ c }}', variables: { c: null } });
      expect(data).toMatchObject({ text: '{{ a }} x {{ c }}', missing: ['a', 'c'] });
    });

    it('can be a stored template', async () => {
      const { id } = await made({ html: '<b>{{ a }}</b>' });
      const { data } = await preview({ variables: { a: '<' } }, `${TEMPLATES}/${id}/preview`);
      expect(data).toMatchObject({ html: '<b>&lt;</b>', text: 'Hello', missing: [] });
      expect((await preview({}, `${TEMPLATES}/${id}/preview`)).data.missing).toEqual(['a']);
    });

    it.each([
      ['variables', { variables: ['a'] }],
      ['variables', { variables: null }],
      ['variables', { variables: 'a' }],
      ['variables.a', { variables: { a: 'x\0' } }],
      ['variables', { variables: { a: [[[[[[[[[[1]]]]]]]]]] } }],
      ['subject', { subject: '{{ a }}', variables: { a: 'x\r\nBcc: y' } }],
    ])('is rejected with a message about %s: %j', async (field, body) => {
      const { status, error } = await preview({ text: '{{ a }}', ...body });
      expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
      expect(error.message).toMatch(new RegExp(`^${field}: `));
    });

    it('is aborted when it is too expensive, without blocking other requests', async () => {
      const text = '{% for i in (1..9999) %}{% for j in (1..9999) %}x{% endfor %}{% endfor %}';
      const [hostile, other] = await Promise.all([
        preview({ text }),
        fixture.call('GET', TEMPLATES, { key: tenant.key }),
      ]);
      expect(hostile).toMatchObject({ status: 400, error: { code: 'INVALID_TEMPLATE' } });
      expect(other.status).toBe(200);
    });

    it('treats property names of prototypes as ordinary variables', async () => {
      const text = '{{ constructor }}{{ __proto__ }}';
      expect((await preview({ text })).data.missing).toEqual(['constructor', '__proto__']);
      const body = `{"text": "${text}", "variables": {"constructor": "a", "__proto__": "b"}}`;
      const { data } = await fixture.call<EmailPreview>('POST', `${TEMPLATES}/preview`, { key: tenant.key, body });
      expect(data).toMatchObject({ text: 'ab', missing: [] });
    });

    it('stores nothing', async () => {
      const count = async () => (await fixture.database.query('SELECT FROM audit.entries')).length;
      const before = await count();
      await preview({ text: 'x' });
      expect(await count()).toBe(before);
    });
  });
});
