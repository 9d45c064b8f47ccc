import { localKeyRing } from '@heliograph/secrets';
import { ChangeFeed, createDataSource, databaseConfigSchema, newId } from '@heliograph/database';
import { createTestDatabase, until, type TestDatabase } from '@heliograph/testing';
import type { DataSource, EntityManager } from 'typeorm';
import { EmailCatalog } from './catalog';
import { EmailCatalogService } from './catalog.service';
import { EmailDomain, isSending } from './domains/domain.entity';
import { emailCatalogEntities, emailCatalogMigrations } from './migration-set';
import { EmailSender } from './senders/sender.entity';
import { EmailTemplate } from './templates/template.entity';
import { TrackingSetting } from './tracking/tracking-setting.entity';

let database: TestDatabase;
let dataSource: DataSource;
let feed: ChangeFeed;
let catalog: EmailCatalog;
let service: EmailCatalogService;
/** A new organization for each test. */
let organizationId: string;
let domainName: string;

beforeAll(async () => {
  database = await createTestDatabase([emailCatalogMigrations]);
  const settings = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 4 });
  dataSource = await createDataSource(settings, 'email catalog cache spec', emailCatalogEntities).initialize();
  feed = new ChangeFeed({ connectionString: database.url });
  catalog = new EmailCatalog(
    dataSource.getRepository(EmailDomain),
    dataSource.getRepository(EmailSender),
    dataSource.getRepository(EmailTemplate),
    dataSource.getRepository(TrackingSetting),
    localKeyRing(),
    feed,
  );
  service = new EmailCatalogService(localKeyRing());
  await until('the feed is live', () => feed.live);
});
afterAll(async () => {
  await feed.stop();
  await dataSource.destroy();
  await database.drop();
});
beforeEach(() => {
  organizationId = newId();
  domainName = `${organizationId}.example`;
});

const write = <T>(work: (transaction: EntityManager) => Promise<T>): Promise<T> => dataSource.transaction(work);
const putDomain = (status: 'pending' | 'verified' = 'verified', expiresAt: Date | null = null, name = domainName) =>
  service.putDomain(dataSource.manager, organizationId, { name, status, expiresAt });
const putSender = (localPart: string, isMain = false, name = domainName) =>
  write((t) => service.putSender(t, organizationId, { address: `${localPart}@${name}`, name: 'Acme', isMain }));
const past = new Date('2020-01-01T00:00:00Z');
const future = new Date('2100-01-01T00:00:00Z');

describe('a sender', () => {
  it('is found by its address in any case, with its domain', async () => {
    const { id: domainId } = await putDomain('verified', future);
    const { id } = await putSender('Hello');
    const found = {
      id,
      address: `Hello@${domainName}`,
      name: 'Acme',
      isMain: true,
      domain: { id: domainId, name: domainName, status: 'verified', expiresAt: future, returnPathHost: null },
    };
    expect(await catalog.sender(organizationId, `HELLO@${domainName}`)).toEqual(found);
    expect(await catalog.mainSender(organizationId)).toEqual(found);
  });

  it('is not found by another organization or by an oversized address', async () => {
    await putDomain();
    await putSender('hello');
    expect(await catalog.sender(newId(), `hello@${domainName}`)).toBeNull();
    expect(await catalog.mainSender(newId())).toBeNull();
    expect(await catalog.sender(organizationId, `${'a'.repeat(1_000_000)}@${domainName}`)).toBeNull();
  });

  it('is updated after the commit of a change', async () => {
    await putDomain('pending');
    await putSender('first');
    expect((await catalog.mainSender(organizationId))?.domain.status).toBe('pending');
    await putSender('second', true);
    await putDomain('verified');
    await until('the other sender is found', async () => {
      const main = await catalog.mainSender(organizationId);
      return main?.address === `second@${domainName}` && main.domain.status === 'verified';
    });
  });

  it('is listed if its domain is verified and not expired', async () => {
    const [pending, expired, valid] = ['pending', 'expired', 'valid'].map((label) => `${label}.${domainName}`);
    await putDomain('pending', null, pending);
    await putDomain('verified', past, expired);
    await putDomain('verified', future, valid);
    await putDomain();
    for (const name of [pending, expired, valid, domainName]) await putSender('a', false, name);
    const listed = await catalog.listSenders(organizationId);
    expect(listed.map(({ domain }) => domain.name)).toEqual([valid, domainName]);
    expect(await catalog.listSenders(newId())).toEqual([]);
  });
});

describe('a domain', () => {
  it.each([
    ['verified', null, true],
    ['verified', future, true],
    ['verified', past, false],
    ['pending', null, false],
    ['failed', future, false],
  ] as const)('with the status %s that expires %s can send: %s', (status, expiresAt, sends) => {
    expect(isSending({ status, expiresAt }, new Date('2026-01-01T00:00:00Z'))).toBe(sends);
  });

  it('cannot send after it expires', () => {
    expect(isSending({ status: 'verified', expiresAt: past }, past)).toBe(false);
  });

  it('has a signing key until it is removed', async () => {
    const { id, dkimSelector } = await putDomain();
    const key = await catalog.signingKey(id);
    expect(key).toMatchObject({ domain: domainName, selector: dkimSelector, returnPathHost: null });
    expect([key?.privateKey.type, key?.privateKey.asymmetricKeyType]).toEqual(['private', 'rsa']);
    await write((t) => service.removeDomain(t, organizationId, id));
    await until('the entry is removed', async () => (await catalog.signingKey(id)) === null);
  });
});

describe('a template', () => {
  const put = (html: string) =>
    service.putTemplate(dataSource.manager, organizationId, {
      slug: 'welcome',
      name: 'Welcome',
      subject: null,
      html,
      text: null,
      unsubscribeScope: null,
    });

  it('is found by id and by slug, parsed, only by its organization', async () => {
    const { id } = await put('{{ a }}');
    for (const reference of [id, 'welcome']) {
      expect(await catalog.template(organizationId, reference)).toMatchObject({
        id,
        slug: 'welcome',
        html: '{{ a }}',
        parsed: { variables: ['a'] },
      });
      expect(await catalog.template(newId(), reference)).toBeNull();
    }
    for (const nonsense of ['', 'Welcome', 'no such one', newId(), 'a'.repeat(1_000_000)]) {
      expect(await catalog.template(organizationId, nonsense)).toBeNull();
    }
  });

  it('is updated after the commit of a change', async () => {
    await put('{{ a }}');
    await catalog.template(organizationId, 'welcome');
    await put('{{ b }}');
    await until('the change is effective', async () => {
      return (await catalog.template(organizationId, 'welcome'))?.parsed.variables[0] === 'b';
    });
  });

  it('is listed with its variables, but without its parts', async () => {
    const { id } = await put('{{ a }}');
    const [listed, ...more] = await catalog.listTemplates(organizationId);
    expect(more).toEqual([]);
    expect({ ...listed }).toEqual({
      id,
      slug: 'welcome',
      name: 'Welcome',
      subject: null,
      unsubscribeScope: null,
      variables: ['a'],
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    });
    expect(await catalog.listTemplates(newId())).toEqual([]);
  });
});

describe('tracking', () => {
  const set = (subjectId: string, opens: boolean, clicks: boolean) =>
    database.query(
      `INSERT INTO email.tracking_settings VALUES ($1, $2, $3, $4)
       ON CONFLICT (subject_id) DO UPDATE SET opens = $3, clicks = $4`,
      [subjectId, organizationId, opens, clicks],
    );

  it('is enabled unless the workspace or the key disables it', async () => {
    const workspaceId = newId();
    const keyId = newId();
    const isTracked = (opens: boolean, clicks: boolean) =>
      until(`opens are ${opens} and clicks ${clicks}`, async () => {
        const tracking = await catalog.trackingOf(workspaceId, keyId);
        return tracking.opens === opens && tracking.clicks === clicks;
      });
    expect(await catalog.trackingOf(workspaceId, keyId)).toEqual({ opens: true, clicks: true });
    await set(workspaceId, true, false);
    await isTracked(true, false);
    await set(keyId, false, true);
    await isTracked(false, false);
    await set(workspaceId, true, true);
    await isTracked(false, true);
  });
});
