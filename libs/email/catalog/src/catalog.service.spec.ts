import { localKeyRing } from '@heliograph/secrets';
import { ApiKey, ApiKeysService, ApiKeyUse, authEntities, authMigrations, generateKey } from '@heliograph/auth';
import { createDataSource, databaseConfigSchema, newId } from '@heliograph/database';
import { messagingMigrations } from '@heliograph/messaging';
import { tenancyEntities, tenancyMigrations, TenancyService } from '@heliograph/tenancy';
import { createTestDatabase, schemaDifferences, unique, type TestDatabase } from '@heliograph/testing';
import type { DataSource, EntityManager } from 'typeorm';
import { EmailCatalogService } from './catalog.service';
import { generateDkimKey } from './dkim-key';
import type { EmailDomain } from './domain.entity';
import type { EmailSenderDetails, EmailTemplateDetails } from './entry-details';
import { emailCatalogEntities, emailCatalogMigrations } from './migration-set';
import { TrackingSettings, type TrackingSubject } from './tracking-settings';

let database: TestDatabase;
let dataSource: DataSource;
let catalog: EmailCatalogService;
/** A new organization for each test. */
let organizationId: string;

beforeAll(async () => {
  database = await createTestDatabase([
    ...[tenancyMigrations, messagingMigrations, authMigrations, emailCatalogMigrations],
  ]);
  const settings = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 8 });
  const entities = [...tenancyEntities, ...authEntities, ...emailCatalogEntities];
  dataSource = await createDataSource(settings, 'email catalog spec', entities).initialize();
  catalog = new EmailCatalogService(localKeyRing());
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
beforeEach(() => {
  organizationId = newId();
});

const write = <T>(work: (transaction: EntityManager) => Promise<T>): Promise<T> => dataSource.transaction(work);
const refused = (code: string) => expect.objectContaining({ code });
const PAGE = { limit: 10, after: null };

/** Uses a fixed key, because generating a key takes time. */
async function domain(name = 'acme.example', of = organizationId): Promise<EmailDomain> {
  const id = newId();
  await database.query(
    `INSERT INTO email.domains
       (id, organization_id, name, status, verification_token, dkim_selector, dkim_public_key, dkim_private_key, findings)
     VALUES ($1, $2, $3, 'pending', 'token', 'mail', 'public', 'private', '[]')`,
    [id, of, name],
  );
  return catalog.domainOf(dataSource.manager, of, id);
}
const sender = (details: Partial<EmailSenderDetails> = {}, of = organizationId) =>
  write((t) => catalog.createSender(t, of, { address: 'hello@acme.example', name: 'Acme', isMain: false, ...details }));
const WELCOME = {
  ...{ slug: 'welcome', name: 'Welcome', subject: 'Hi {{ name }}', html: '<p>{{ name }} {{ code }}</p>', text: null },
  unsubscribeScope: null,
};
const template = (details: Partial<EmailTemplateDetails> = {}, of = organizationId) =>
  write((t) => catalog.createTemplate(t, of, { ...WELCOME, ...details }));
const mainOnes = async () => {
  const { items } = await catalog.listSenders(dataSource.manager, organizationId, PAGE);
  return items.filter(({ isMain }) => isMain).map(({ address }) => address);
};

it('the schema of the email catalog matches its entities', async () => {
  expect(await schemaDifferences(database.url, emailCatalogEntities)).toEqual([]);
});

describe('a domain', () => {
  it('is initially pending, has its own key and token, and does not expose the private key', async () => {
    const made = await write(async (t) =>
      catalog.createDomain(t, organizationId, { name: 'Bücher.Example', key: await generateDkimKey() }),
    );
    expect(made).toMatchObject({ name: 'xn--bcher-kva.example', status: 'pending', verifiedBy: null, findings: [] });
    expect(made.dkimSelector).toMatch(/^mail-[0-9a-f]{8}$/);
    expect(made.verificationToken).toMatch(/^[0-9a-f]{40}$/);
    expect(made).not.toHaveProperty('dkimPrivateKey');
    const list = await catalog.listDomains(dataSource.manager, organizationId, PAGE, { status: 'pending' });
    expect(list).toEqual({ items: [made], next: null });
    expect(list.items[0]).not.toHaveProperty('dkimPrivateKey');
    expect(await catalog.listDomains(dataSource.manager, organizationId, PAGE, { status: 'failed' })).toMatchObject({
      items: [],
    });
  });

  it('is unique in an organization, but several organizations can have the same domain', async () => {
    const add = (of: string) =>
      write(async (t) => catalog.createDomain(t, of, { name: 'acme.example', key: await generateDkimKey() }));
    await add(organizationId);
    await expect(add(organizationId)).rejects.toMatchObject({
      code: 'NAME_TAKEN',
      message: expect.stringContaining('name is already used by another email domain'),
    });
    await add(newId());
  });

  it.each(['', 'localhost', '127.0.0.1', '*.acme.example', '_x.acme.example', 'a@acme.example', 'acme.example.'])(
    'cannot be %j',
    async (name) => {
      await expect(
        write(async (t) => catalog.createDomain(t, organizationId, { name, key: await generateDkimKey() })),
      ).rejects.toEqual(refused('VALIDATION_ERROR'));
    },
  );

  it('can be removed unless it has senders', async () => {
    const { id } = await domain();
    const { id: senderId } = await sender();
    const remove = () => write((t) => catalog.removeDomain(t, organizationId, id));
    await expect(remove()).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      message: expect.stringContaining('senders'),
    });
    await write((t) => catalog.removeSender(t, organizationId, senderId));
    expect((await remove()).id).toBe(id);
    await expect(remove()).rejects.toEqual(refused('NOT_FOUND'));
  });

  it('is either removed or gets a sender if both happen concurrently', async () => {
    const { id } = await domain();
    const results = await Promise.allSettled([
      ...Array.from({ length: 3 }, (_, index) => sender({ address: `a${index}@acme.example` })),
      write((t) => catalog.removeDomain(t, organizationId, id)),
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
    name = `acme-${organizationId}.example`;
  });
  const put = (status?: 'pending' | 'verified' | 'failed', expiresAt: Date | null = null) =>
    catalog.putDomain(dataSource.manager, organizationId, { name, expiresAt, ...(status ? { status } : {}) });

  it('is verified without a check and keeps its key', async () => {
    const made = await put('verified', new Date('2030-01-01T00:00:00Z'));
    expect(made).toMatchObject({ status: 'verified', verifiedBy: 'operator', verifiedAt: expect.any(Date) });
    expect(made.expiresAt).toEqual(new Date('2030-01-01T00:00:00Z'));
    expect(await put('verified', new Date('2030-01-01T00:00:00Z'))).toEqual(made);
    const { verifiedAt, expiresAt, dkimPublicKey } = await put('verified');
    expect({ verifiedAt, expiresAt, dkimPublicKey }).toEqual({
      ...{ verifiedAt: made.verifiedAt, expiresAt: null, dkimPublicKey: made.dkimPublicKey },
    });
  });

  it('keeps its status without a declaration, and is pending if it is new', async () => {
    expect(await put()).toMatchObject({ status: 'pending', verifiedBy: null });
    await database.query(
      `UPDATE email.domains SET status = 'verified', verified_by = 'dns' WHERE organization_id = $1`,
      [organizationId],
    );
    expect(await put()).toMatchObject({ status: 'verified', verifiedBy: 'dns' });
  });

  it.each(['pending', 'failed'] as const)('is set to %s by declaration', async (status) => {
    await put('verified');
    expect(await put(status)).toMatchObject({ status, verifiedBy: null });
  });
});

describe('a sender', () => {
  it('requires a domain of its organization, verified or not', async () => {
    const { id: domainId } = await domain();
    expect(await sender({ address: 'Hello@ACME.example' })).toMatchObject({
      ...{ address: 'Hello@acme.example', addressKey: 'hello@acme.example', domainId, name: 'Acme' },
    });
    await domain('elsewhere.example', newId());
    for (const address of ['a@elsewhere.example', 'a@sub.acme.example', 'a@notacme.example']) {
      await expect(sender({ address })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(/^address: \S+ is not one of your domains\. Add it first/),
      });
    }
  });

  it('has an address that is unique in any case', async () => {
    await domain();
    await sender();
    await expect(sender({ address: 'HELLO@acme.example' })).rejects.toMatchObject({
      code: 'NAME_TAKEN',
      message: expect.stringContaining('address is already used by another email sender'),
    });
  });

  it.each([
    { address: '' },
    { address: 'Acme <hello@acme.example>' },
    { address: 'a@acme.example\r\nBcc: b@acme.example' },
    { name: 'Acme\r\nBcc: b@acme.example' },
    { name: '' },
  ])('rejects the address %j', async (details) => {
    await domain();
    await expect(sender(details)).rejects.toEqual(refused('VALIDATION_ERROR'));
  });

  it('becomes the main sender as the first one, or on request', async () => {
    await domain();
    await sender({ address: 'first@acme.example' });
    await sender({ address: 'second@acme.example' });
    expect(await mainOnes()).toEqual(['first@acme.example']);
    const third = await sender({ address: 'third@acme.example', isMain: true });
    expect(await mainOnes()).toEqual(['third@acme.example']);
    const { items } = await catalog.listSenders(dataSource.manager, organizationId, PAGE);
    const change = (id: string, isMain: boolean) =>
      write((t) => catalog.changeSender(t, organizationId, id, { isMain }));
    expect(await change(items[0]!.id, true)).toMatchObject({ before: { isMain: false }, after: { isMain: true } });
    expect(await mainOnes()).toEqual(['first@acme.example']);
    await change(third.id, false);
    await expect(change(items[0]!.id, false)).rejects.toEqual(refused('STATE_CONFLICT'));
  });

  it('is the only main sender if many are created concurrently', async () => {
    await domain();
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => sender({ address: `a${index}@acme.example`, isMain: index % 2 === 0 })),
    );
    expect(await mainOnes()).toHaveLength(1);
  });

  it('can be removed, but the main sender only as the last one', async () => {
    await domain();
    const first = await sender({ address: 'first@acme.example' });
    const second = await sender({ address: 'second@acme.example' });
    const remove = (id: string) => write((t) => catalog.removeSender(t, organizationId, id));
    await expect(remove(first.id)).rejects.toEqual(refused('STATE_CONFLICT'));
    expect(await remove(second.id)).toEqual(second);
    expect(await remove(first.id)).toEqual(first);
    await sender({ address: 'third@acme.example' });
    expect(await mainOnes()).toEqual(['third@acme.example']);
  });

  it('can change or remove its name', async () => {
    await domain();
    const { id } = await sender();
    const change = (name: string | null) => write((t) => catalog.changeSender(t, organizationId, id, { name }));
    expect((await change('Acme Inc')).after).toMatchObject({ name: 'Acme Inc', isMain: true });
    expect((await change(null)).after.name).toBeNull();
    await expect(change('a\nb')).rejects.toEqual(refused('VALIDATION_ERROR'));
  });

  it('is identified by its address and remains the main sender until another one requests it', async () => {
    await domain();
    const put = (address: string, isMain = false) =>
      write((t) => catalog.putSender(t, organizationId, { address, name: 'Acme', isMain }));
    const first = await put('first@acme.example');
    expect(await put('First@acme.example')).toMatchObject({
      id: first.id,
      isMain: true,
      address: 'First@acme.example',
    });
    await put('second@acme.example', true);
    expect(await put('first@acme.example')).toMatchObject({ id: first.id, isMain: false });
    expect(await mainOnes()).toEqual(['second@acme.example']);
    const before = await database.query('SELECT * FROM email.senders WHERE organization_id = $1', [organizationId]);
    await put('second@acme.example', true);
    expect(await database.query('SELECT * FROM email.senders WHERE organization_id = $1', [organizationId])).toEqual(
      before,
    );
  });
});

describe('a template', () => {
  it('is created with its variables, updated, listed without its parts and removed', async () => {
    const made = await template();
    expect(made).toMatchObject({ ...WELCOME, variables: ['name', 'code'] });
    const changes = { name: 'Hello', html: null, text: 'Hi {{ who.name }}' };
    const { before, after } = await write((t) => catalog.changeTemplate(t, organizationId, made.id, changes));
    expect(before).toEqual(made);
    expect(after).toMatchObject({ slug: 'welcome', ...changes, variables: ['name', 'who'] });
    const { items } = await catalog.listTemplates(dataSource.manager, organizationId, PAGE);
    const { html: _html, text: _text, organizationId: _owner, ...listed } = after;
    expect(items.map((item) => ({ ...item }))).toEqual([listed]);
    expect(await write((t) => catalog.removeTemplate(t, organizationId, made.id))).toEqual(after);
    await expect(catalog.templateOf(dataSource.manager, organizationId, made.id)).rejects.toEqual(refused('NOT_FOUND'));
  });

  it('row 27: has the unsubscribe scope of its emails, which can be changed and cleared', async () => {
    const { id, unsubscribeScope } = await template({ unsubscribeScope: 'transactional' });
    expect(unsubscribeScope).toBe('transactional');
    const change = async (changes: Partial<EmailTemplateDetails>) =>
      (await write((t) => catalog.changeTemplate(t, organizationId, id, changes))).after.unsubscribeScope;
    expect(await change({ name: 'Hello' })).toBe('transactional');
    expect(await change({ unsubscribeScope: 'news-2026' })).toBe('news-2026');
    expect(await change({ unsubscribeScope: null })).toBeNull();
    expect(
      (await catalog.putTemplate(dataSource.manager, organizationId, { ...WELCOME, unsubscribeScope: 'marketing' })).id,
    ).toBe(id);
    expect(await catalog.templateOf(dataSource.manager, organizationId, id)).toMatchObject({
      unsubscribeScope: 'marketing',
    });
  });

  it('has a unique slug in its organization', async () => {
    await template();
    await expect(template()).rejects.toMatchObject({
      code: 'NAME_TAKEN',
      message: expect.stringContaining('slug is already used by another email template'),
    });
    await template({}, newId());
    const other = await template({ slug: 'other' });
    await expect(
      write((t) => catalog.changeTemplate(t, organizationId, other.id, { slug: 'welcome' })),
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
    await expect(template(bad)).rejects.toEqual(refused(code));
    await expect(write((t) => catalog.putTemplate(t, organizationId, { ...WELCOME, ...bad }))).rejects.toEqual(
      refused(code),
    );
    const { id } = await template();
    await expect(write((t) => catalog.changeTemplate(t, organizationId, id, bad))).rejects.toEqual(refused(code));
    expect(await catalog.templateOf(dataSource.manager, organizationId, id)).toMatchObject(WELCOME);
  });

  it('can be hostile but valid', async () => {
    await template({
      html: '{% for i in (1..9999) %}{% for j in (1..9999) %}{{ constructor.name }}{% endfor %}{% endfor %}',
    });
  });

  it('is identified by its slug', async () => {
    const put = (html: string) => catalog.putTemplate(dataSource.manager, organizationId, { ...WELCOME, html });
    const made = await put('{{ a }}');
    expect(await put('{{ a }}')).toEqual(made);
    expect(await put('{{ b }}')).toMatchObject({ id: made.id, variables: ['name', 'b'] });
  });
});

describe('tracking', () => {
  const settings = new TrackingSettings();
  const subjects = async (): Promise<TrackingSubject[]> => {
    const tenancy = new TenancyService();
    const keys = new ApiKeysService(dataSource.getRepository(ApiKey), dataSource.getRepository(ApiKeyUse));
    const slug = `tracked-${unique()}`;
    const { id: of } = await tenancy.putOrganization(dataSource.manager, { slug, name: slug, ipAllowlist: [] });
    organizationId = of;
    const workspace = await write((t) =>
      tenancy.putWorkspace(t, of, {
        ...{ slug, displayName: slug, plan: 'free', status: 'active', billingCustomer: null },
      }),
    );
    const details = {
      name: slug,
      scopes: [],
      role: 'owner',
      workspaceId: null,
      expiresAt: null,
      revoked: false,
    } as const;
    const { id: keyId } = (
      await keys.put(dataSource.manager, of, { ...details, scopes: [] }, undefined, () => generateKey('t'))
    ).key;
    return [
      { kind: 'workspace', id: workspace.id },
      { kind: 'key', id: keyId },
    ];
  };
  const get = (subject: TrackingSubject, of = organizationId) => settings.get(dataSource.manager, of, subject);

  it('is enabled by default and can be changed for a workspace and for a key', async () => {
    for (const subject of await subjects()) {
      expect(await get(subject)).toEqual({ opens: true, clicks: true });
      const put = (change: { opens?: boolean; clicks?: boolean }) =>
        write((t) => settings.put(t, organizationId, subject, change));
      expect(await put({ opens: false })).toEqual({
        before: { opens: true, clicks: true },
        after: { opens: false, clicks: true },
      });
      expect((await put({ clicks: false })).after).toEqual({ opens: false, clicks: false });
      expect(await get(subject)).toEqual({ opens: false, clicks: false });
    }
  });

  it('is NOT_FOUND for another organization, another kind and an invalid id', async () => {
    const [workspace, key] = await subjects();
    const foreign: [TrackingSubject, string][] = [
      [workspace!, newId()],
      [key!, newId()],
      [{ kind: 'key', id: workspace!.id }, organizationId],
      [{ kind: 'workspace', id: key!.id }, organizationId],
      [{ kind: 'workspace', id: 'nonsense' }, organizationId],
    ];
    for (const [subject, of] of foreign) {
      await expect(get(subject, of)).rejects.toEqual(refused('NOT_FOUND'));
      await expect(write((t) => settings.put(t, of, subject, { opens: false }))).rejects.toEqual(refused('NOT_FOUND'));
    }
    expect(await get(workspace!)).toEqual({ opens: true, clicks: true });
  });
});

describe('an entry of another organization, an unknown id or an invalid id', () => {
  const acts: [string, (id: string, t: EntityManager, of: string) => Promise<unknown>][] = [
    ['reading a domain', (id, t, of) => catalog.domainOf(t, of, id)],
    ['removing a domain', (id, t, of) => catalog.removeDomain(t, of, id)],
    ['reading a sender', (id, t, of) => catalog.senderOf(t, of, id)],
    ['updating a sender', (id, t, of) => catalog.changeSender(t, of, id, { name: 'Thief' })],
    ['making a sender the main one', (id, t, of) => catalog.changeSender(t, of, id, { isMain: true })],
    ['removing a sender', (id, t, of) => catalog.removeSender(t, of, id)],
    ['reading a template', (id, t, of) => catalog.templateOf(t, of, id)],
    ['updating a template', (id, t, of) => catalog.changeTemplate(t, of, id, { text: 'stolen' })],
    ['removing a template', (id, t, of) => catalog.removeTemplate(t, of, id)],
  ];

  it.each(acts)('is NOT_FOUND for %s', async (_what, act) => {
    const theirs = newId();
    const ids = [
      (await domain('acme.example', theirs)).id,
      (await sender({}, theirs)).id,
      (await template({}, theirs)).id,
      ...[newId(), 'nonsense', ''],
    ];
    for (const id of ids) {
      await expect(write((t) => act(id, t, organizationId))).rejects.toEqual(refused('NOT_FOUND'));
    }
  });

  it('is in no list', async () => {
    const theirs = newId();
    await domain('acme.example', theirs);
    await sender({}, theirs);
    await template({}, theirs);
    const empty = { items: [], next: null };
    expect(await catalog.listDomains(dataSource.manager, organizationId, PAGE)).toEqual(empty);
    expect(await catalog.listSenders(dataSource.manager, organizationId, PAGE)).toEqual(empty);
    expect(await catalog.listTemplates(dataSource.manager, organizationId, PAGE)).toEqual(empty);
  });
});
