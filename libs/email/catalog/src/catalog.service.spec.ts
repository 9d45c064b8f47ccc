import { newId } from '@heliograph/database';
import { schemaDifferences } from '@heliograph/testing';
import type { EntityManager } from 'typeorm';
import { EmailCatalogFixture, PAGE, refused, WELCOME } from './email-catalog.fixture';
import { generateDkimKey } from './domains/dkim-key';
import type { EmailTemplateDetails } from './entry-details';
import { emailCatalogEntities } from './migration-set';

let fixture: EmailCatalogFixture;
beforeAll(async () => {
  fixture = await EmailCatalogFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(() => fixture.newOrganization());

it('the schema of the email catalog matches its entities', async () => {
  expect(await schemaDifferences(fixture.database.url, emailCatalogEntities)).toEqual([]);
});

describe('a domain', () => {
  it('is initially pending, has its own key and token, and does not expose the private key', async () => {
    const made = await fixture.write(async (t) =>
      fixture.catalog.createDomain(t, fixture.organizationId, { name: 'Bücher.Example', key: await generateDkimKey() }),
    );
    expect(made).toMatchObject({ name: 'xn--bcher-kva.example', status: 'pending', verifiedBy: null, findings: [] });
    expect(made.dkimSelector).toMatch(/^mail-[0-9a-f]{8}$/);
    expect(made.verificationToken).toMatch(/^[0-9a-f]{40}$/);
    expect(made).not.toHaveProperty('dkimPrivateKey');
    const list = await fixture.catalog.listDomains(fixture.dataSource.manager, fixture.organizationId, PAGE, {
      status: 'pending',
    });
    expect(list).toEqual({ items: [made], next: null });
    expect(list.items[0]).not.toHaveProperty('dkimPrivateKey');
    expect(
      await fixture.catalog.listDomains(fixture.dataSource.manager, fixture.organizationId, PAGE, { status: 'failed' }),
    ).toMatchObject({
      items: [],
    });
  });

  it('is unique in an organization, but several organizations can have the same domain', async () => {
    const add = (of: string) =>
      fixture.write(async (t) =>
        fixture.catalog.createDomain(t, of, { name: 'acme.example', key: await generateDkimKey() }),
      );
    await add(fixture.organizationId);
    await expect(add(fixture.organizationId)).rejects.toMatchObject({
      code: 'NAME_TAKEN',
      message: expect.stringContaining('name is already used by another email domain'),
    });
    await add(newId());
  });

  it.each(['', 'localhost', '127.0.0.1', '*.acme.example', '_x.acme.example', 'a@acme.example', 'acme.example.'])(
    'cannot be %j',
    async (name) => {
      await expect(
        fixture.write(async (t) =>
          fixture.catalog.createDomain(t, fixture.organizationId, { name, key: await generateDkimKey() }),
        ),
      ).rejects.toEqual(refused('VALIDATION_ERROR'));
    },
  );

  it('can be removed unless it has senders', async () => {
    const { id } = await fixture.domain();
    const { id: senderId } = await fixture.sender();
    const remove = () => fixture.write((t) => fixture.catalog.removeDomain(t, fixture.organizationId, id));
    await expect(remove()).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      message: expect.stringContaining('senders'),
    });
    await fixture.write((t) => fixture.catalog.removeSender(t, fixture.organizationId, senderId));
    expect((await remove()).id).toBe(id);
    await expect(remove()).rejects.toEqual(refused('NOT_FOUND'));
  });

  it('is either removed or gets a sender if both happen concurrently', async () => {
    const { id } = await fixture.domain();
    const results = await Promise.allSettled([
      ...Array.from({ length: 3 }, (_, index) => fixture.sender({ address: `a${index}@acme.example` })),
      fixture.write((t) => fixture.catalog.removeDomain(t, fixture.organizationId, id)),
    ]);
    const codes = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as { code: string }] : [],
    );
    for (const { code } of codes) expect(['VALIDATION_ERROR', 'STATE_CONFLICT']).toContain(code);
    expect([1, 3]).toContain(codes.length);
  });
});

describe('a domain declared by the operator', () => {
  let name: string;
  beforeEach(() => {
    name = `acme-${fixture.organizationId}.example`;
  });
  const put = (status?: 'pending' | 'verified' | 'failed', expiresAt: Date | null = null) =>
    fixture.catalog.putDomain(fixture.dataSource.manager, fixture.organizationId, {
      name,
      expiresAt,
      ...(status ? { status } : {}),
    });

  it('is verified without a check and keeps its key', async () => {
    const made = await put('verified', new Date('2030-01-01T00:00:00Z'));
    expect(made).toMatchObject({ status: 'verified', verifiedBy: 'operator', verifiedAt: expect.any(Date) });
    expect(made.expiresAt).toEqual(new Date('2030-01-01T00:00:00Z'));
    expect(await put('verified', new Date('2030-01-01T00:00:00Z'))).toEqual(made);
    const { verifiedAt, expiresAt, dkimPublicKey } = await put('verified');
    expect({ verifiedAt, expiresAt, dkimPublicKey }).toEqual({
      verifiedAt: made.verifiedAt,
      expiresAt: null,
      dkimPublicKey: made.dkimPublicKey,
    });
  });

  it('keeps its status without a declaration, and is pending if it is new', async () => {
    expect(await put()).toMatchObject({ status: 'pending', verifiedBy: null });
    await fixture.database.query(
      `UPDATE email.domains SET status = 'verified', verified_by = 'dns' WHERE organization_id = $1`,
      [fixture.organizationId],
    );
    expect(await put()).toMatchObject({ status: 'verified', verifiedBy: 'dns' });
  });

  it.each(['pending', 'failed'] as const)('is set to %s by declaration', async (status) => {
    await put('verified');
    expect(await put(status)).toMatchObject({ status, verifiedBy: null });
  });
});

describe('a template', () => {
  it('is created with its variables, updated, listed without its parts and removed', async () => {
    const made = await fixture.template();
    expect(made).toMatchObject({ ...WELCOME, variables: ['name', 'code'] });
    const changes = { name: 'Hello', html: null, text: 'Hi {{ who.name }}' };
    const { before, after } = await fixture.write((t) =>
      fixture.catalog.changeTemplate(t, fixture.organizationId, made.id, changes),
    );
    expect(before).toEqual(made);
    expect(after).toMatchObject({ slug: 'welcome', ...changes, variables: ['name', 'who'] });
    const { items } = await fixture.catalog.listTemplates(fixture.dataSource.manager, fixture.organizationId, PAGE);
    const { html: _html, text: _text, organizationId: _owner, ...listed } = after;
    expect(items.map((item) => ({ ...item }))).toEqual([listed]);
    expect(await fixture.write((t) => fixture.catalog.removeTemplate(t, fixture.organizationId, made.id))).toEqual(
      after,
    );
    await expect(
      fixture.catalog.templateOf(fixture.dataSource.manager, fixture.organizationId, made.id),
    ).rejects.toEqual(refused('NOT_FOUND'));
  });

  it('row 27: has the unsubscribe scope of its emails, which can be changed and cleared', async () => {
    const { id, unsubscribeScope } = await fixture.template({ unsubscribeScope: 'transactional' });
    expect(unsubscribeScope).toBe('transactional');
    const change = async (changes: Partial<EmailTemplateDetails>) =>
      (await fixture.write((t) => fixture.catalog.changeTemplate(t, fixture.organizationId, id, changes))).after
        .unsubscribeScope;
    expect(await change({ name: 'Hello' })).toBe('transactional');
    expect(await change({ unsubscribeScope: 'news-2026' })).toBe('news-2026');
    expect(await change({ unsubscribeScope: null })).toBeNull();
    expect(
      (
        await fixture.catalog.putTemplate(fixture.dataSource.manager, fixture.organizationId, {
          ...WELCOME,
          unsubscribeScope: 'marketing',
        })
      ).id,
    ).toBe(id);
    expect(await fixture.catalog.templateOf(fixture.dataSource.manager, fixture.organizationId, id)).toMatchObject({
      unsubscribeScope: 'marketing',
    });
  });

  it('has a unique slug in its organization', async () => {
    await fixture.template();
    await expect(fixture.template()).rejects.toMatchObject({
      code: 'NAME_TAKEN',
      message: expect.stringContaining('slug is already used by another email template'),
    });
    await fixture.template({}, newId());
    const other = await fixture.template({ slug: 'other' });
    await expect(
      fixture.write((t) => fixture.catalog.changeTemplate(t, fixture.organizationId, other.id, { slug: 'welcome' })),
    ).rejects.toEqual(refused('NAME_TAKEN'));
  });

  it.each<[string, Partial<EmailTemplateDetails>, string]>([
    ['a slug in upper case', { slug: 'Welcome' }, 'VALIDATION_ERROR'],
    ['an empty slug', { slug: '' }, 'VALIDATION_ERROR'],
    ['a slug that is too long', { slug: 'a'.repeat(64) }, 'VALIDATION_ERROR'],
    ['an empty name', { name: ' ' }, 'VALIDATION_ERROR'],
    ['no content', { subject: null, html: null, text: null }, 'VALIDATION_ERROR'],
    ['an invalid unsubscribe scope', { unsubscribeScope: 'My news' }, 'VALIDATION_ERROR'],
    ['the reserved unsubscribe scope', { unsubscribeScope: 'all' }, 'VALIDATION_ERROR'],
    ['invalid Liquid', { html: '{% if x %}' }, 'INVALID_TEMPLATE'],
    ['an unknown tag', { text: '{% include "x" %}' }, 'INVALID_TEMPLATE'],
  ])('is rejected with %s, on creation and on update', async (_what, bad, code) => {
    await expect(fixture.template(bad)).rejects.toEqual(refused(code));
    await expect(
      fixture.write((t) => fixture.catalog.putTemplate(t, fixture.organizationId, { ...WELCOME, ...bad })),
    ).rejects.toEqual(refused(code));
    const { id } = await fixture.template();
    await expect(
      fixture.write((t) => fixture.catalog.changeTemplate(t, fixture.organizationId, id, bad)),
    ).rejects.toEqual(refused(code));
    expect(await fixture.catalog.templateOf(fixture.dataSource.manager, fixture.organizationId, id)).toMatchObject(
      WELCOME,
    );
  });

  it('can be hostile but valid', async () => {
    await fixture.template({
      html: '{% for i in (1..9999) %}{% for j in (1..9999) %}{{ constructor.name }}{% endfor %}{% endfor %}',
    });
  });

  it('is identified by its slug', async () => {
    const put = (html: string) =>
      fixture.catalog.putTemplate(fixture.dataSource.manager, fixture.organizationId, { ...WELCOME, html });
    const made = await put('{{ a }}');
    expect(await put('{{ a }}')).toEqual(made);
    expect(await put('{{ b }}')).toMatchObject({ id: made.id, variables: ['name', 'b'] });
  });
});

describe('an entry of another organization, an unknown id or an invalid id', () => {
  const acts: [string, (id: string, t: EntityManager, of: string) => Promise<unknown>][] = [
    ['reading a domain', (id, t, of) => fixture.catalog.domainOf(t, of, id)],
    ['removing a domain', (id, t, of) => fixture.catalog.removeDomain(t, of, id)],
    ['reading a sender', (id, t, of) => fixture.catalog.senderOf(t, of, id)],
    ['updating a sender', (id, t, of) => fixture.catalog.changeSender(t, of, id, { name: 'Thief' })],
    ['making a sender the main one', (id, t, of) => fixture.catalog.changeSender(t, of, id, { isMain: true })],
    ['removing a sender', (id, t, of) => fixture.catalog.removeSender(t, of, id)],
    ['reading a template', (id, t, of) => fixture.catalog.templateOf(t, of, id)],
    ['updating a template', (id, t, of) => fixture.catalog.changeTemplate(t, of, id, { text: 'stolen' })],
    ['removing a template', (id, t, of) => fixture.catalog.removeTemplate(t, of, id)],
  ];

  it.each(acts)('is NOT_FOUND for %s', async (_what, act) => {
    const theirs = newId();
    const ids = [
      (await fixture.domain('acme.example', theirs)).id,
      (await fixture.sender({}, theirs)).id,
      (await fixture.template({}, theirs)).id,
      newId(),
      'nonsense',
      '',
    ];
    for (const id of ids) {
      await expect(fixture.write((t) => act(id, t, fixture.organizationId))).rejects.toEqual(refused('NOT_FOUND'));
    }
  });

  it('is in no list', async () => {
    const theirs = newId();
    await fixture.domain('acme.example', theirs);
    await fixture.sender({}, theirs);
    await fixture.template({}, theirs);
    const empty = { items: [], next: null };
    expect(await fixture.catalog.listDomains(fixture.dataSource.manager, fixture.organizationId, PAGE)).toEqual(empty);
    expect(await fixture.catalog.listSenders(fixture.dataSource.manager, fixture.organizationId, PAGE)).toEqual(empty);
    expect(await fixture.catalog.listTemplates(fixture.dataSource.manager, fixture.organizationId, PAGE)).toEqual(
      empty,
    );
  });
});
