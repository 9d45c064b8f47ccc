import { newId } from '@heliograph/database';
import { TestDnsServer, unique } from '@heliograph/testing';
import type { EmailDomainPage, EmailDomainRecord, OneEmailDomain } from '../src/channels/email/domains/domains.dto';
import { AccountFixture, type Tenant } from './account-fixture';

const DOMAINS = '/api/organization/email/domains';

describe('an email domain', () => {
  let fixture: AccountFixture;
  let dns: TestDnsServer;
  let tenant: Tenant;
  beforeAll(async () => {
    dns = await TestDnsServer.start();
    fixture = await AccountFixture.start({
      EMAIL_DNS_SERVERS: dns.address,
      EMAIL_RETURN_PATH_DOMAIN: 'returns.platform.example',
      EMAIL_SPF_HOST: 'spf.platform.example',
      PUBLIC_TRACKING_URL: 'https://links.platform.example',
    });
    tenant = await fixture.tenant();
  });
  afterAll(async () => {
    await fixture.stop();
    await dns.stop();
  });
  afterEach(() => dns.heal());

  const create = (body: object, key = tenant.key) => fixture.call<OneEmailDomain>('POST', DOMAINS, { key, body });
  const made = async (key = tenant.key): Promise<EmailDomainRecord> =>
    (await create({ name: `${unique()}.example` }, key)).data.domain;
  const verify = (id: string, key = tenant.key) =>
    fixture.call<OneEmailDomain>('POST', `${DOMAINS}/${id}/verify`, { key });
  const publish = ({ records }: EmailDomainRecord) => dns.publish(...records.filter(({ required }) => required));
  const statuses = ({ records }: EmailDomainRecord) =>
    Object.fromEntries(records.map(({ purpose, status }) => [purpose, status]));

  it('is created as pending with the DNS records to publish', async () => {
    const name = `${unique()}.example`;
    const { status, data } = await create({ name: name.toUpperCase() });
    const { id, records, createdAt } = data.domain;
    expect(status).toBe(201);
    expect(data.domain).toEqual({
      id,
      name,
      status: 'pending',
      records,
      createdAt,
      checkedAt: null,
      verifiedAt: null,
      failingSince: null,
      expiresAt: null,
    });
    expect(records.map(({ type, purpose, required }) => [type, purpose, required])).toEqual([
      ['TXT', 'ownership', true],
      ['TXT', 'dkim', true],
      ['TXT', 'spf', true],
      ['CNAME', 'return_path', true],
      ['TXT', 'dmarc', false],
      ['CNAME', 'tracking', false],
    ]);
    expect(records.every((record) => record.name.endsWith(name) && record.status === 'pending')).toBe(true);
    expect(records.find(({ purpose }) => purpose === 'dkim')?.value).toMatch(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/=]{392}$/);
    expect((await fixture.call('GET', `${DOMAINS}/${id}`, { key: tenant.key })).data).toEqual(data);
  });

  it('is stored in Punycode', async () => {
    expect((await create({ name: 'exämple.com' })).data.domain.name).toBe('xn--exmple-cua.com');
  });

  it('never reveals its private key', async () => {
    await made();
    const { data } = await fixture.call<EmailDomainPage>('GET', `${DOMAINS}?limit=100`, { key: tenant.key });
    expect(JSON.stringify(data)).not.toContain('PRIVATE');
    const entries = await fixture.database.query(
      `SELECT FROM audit.entries WHERE concat(before, after) ~ 'PRIVATE|verificationToken'`,
    );
    expect(entries).toEqual([]);
  });

  it('is verified by its DNS records and shows the values that were found', async () => {
    const domain = await made();
    const nothing = await verify(domain.id);
    expect(nothing).toMatchObject({ status: 200, data: { domain: { status: 'pending', verifiedAt: null } } });
    expect(nothing.data.domain.checkedAt).not.toBeNull();

    const spf = domain.records.find(({ purpose }) => purpose === 'spf')!;
    dns.publish({ ...spf, value: 'v=spf1 -all' });
    const failed = (await verify(domain.id)).data.domain;
    expect(failed.records.find(({ purpose }) => purpose === 'spf')).toEqual({
      ...spf,
      status: 'failed',
      found: ['v=spf1 -all'],
    });

    dns.withdraw(spf.name);
    publish(domain);
    const verified = (await verify(domain.id)).data.domain;
    expect(verified).toMatchObject({ status: 'verified', verifiedAt: expect.any(String) as string });
    const required = { ownership: 'verified', dkim: 'verified', spf: 'verified', return_path: 'verified' };
    expect(statuses(verified)).toEqual({ ...required, dmarc: 'pending', tracking: 'pending' });
    expect((await fixture.call('GET', `${DOMAINS}/${domain.id}`, { key: tenant.key })).data).toEqual({
      domain: verified,
    });
  });

  it('keeps its status while the name servers are unavailable', async () => {
    const domain = await made();
    publish(domain);
    await verify(domain.id);
    for (const { name } of domain.records) dns.break(name, 'failure');
    expect((await verify(domain.id)).data.domain.status).toBe('verified');
  });

  it('can be verified for one organization only', async () => {
    const domain = await made();
    const other = await fixture.tenant();
    const { data } = await create({ name: domain.name }, other.key);
    publish(domain);
    publish(data.domain);
    dns.withdraw(domain.name);
    publish({ ...domain, records: domain.records.filter(({ purpose }) => purpose === 'spf') });
    expect((await verify(data.domain.id, other.key)).data.domain.status).toBe('verified');
    expect(await verify(domain.id)).toMatchObject({ status: 409, error: { code: 'STATE_CONFLICT' } });
  });

  it('has an audit entry when it is added, when a check changes its state, and when it is deleted', async () => {
    const { id, ...domain } = await made();
    await verify(id);
    await verify(id);
    publish({ id, ...domain });
    await verify(id);
    await fixture.call('DELETE', `${DOMAINS}/${id}`, { key: tenant.key });
    const { data } = await fixture.call<{ entries: { action: string; before: object; after: object }[] }>(
      ...(['GET', `/api/organization/audit-log?targetId=${id}`, { key: tenant.key }] as const),
    );
    const [added, nothing, found, removed, ...more] = data.entries.toReversed();
    expect(more).toEqual([]);
    expect(added).toMatchObject({ action: 'email.domain.created', before: null, after: { name: domain.name } });
    expect(nothing).toMatchObject({ action: 'email.domain.checked', before: { records: [] } });
    expect(found).toMatchObject({ before: { status: 'pending' }, after: { status: 'verified' } });
    expect(removed).toMatchObject({ action: 'email.domain.removed', before: { status: 'verified' }, after: null });
  });

  it('can be deleted only without senders', async () => {
    const domain = await made();
    const body = { address: `hello@${domain.name}` };
    const path = '/api/organization/email/senders';
    const { data } = await fixture.call<{ sender: { id: string } }>('POST', path, { key: tenant.key, body });
    const remove = () => fixture.call('DELETE', `${DOMAINS}/${domain.id}`, { key: tenant.key });
    expect(await remove()).toMatchObject({ status: 409, error: { code: 'STATE_CONFLICT' } });
    await fixture.call('DELETE', `${path}/${data.sender.id}`, { key: tenant.key });
    expect(await remove()).toMatchObject({ status: 200, data: { domain: { id: domain.id } } });
    expect((await remove()).status).toBe(404);
  });

  it('is added once per Idempotency-Key, and the response is replayed', async () => {
    const body = { name: `${unique()}.example` };
    const call = { key: tenant.key, body, headers: { 'idempotency-key': unique() } };
    const first = await fixture.call('POST', DOMAINS, call);
    const again = await fixture.call('POST', DOMAINS, call);
    expect([again.status, again.data]).toEqual([201, first.data]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await create(body)).toMatchObject({ status: 409, error: { code: 'NAME_TAKEN' } });
  });

  it('is checked once per Idempotency-Key, and the response is replayed after the removal of the domain', async () => {
    const { id } = await made();
    const verifyOnce = (key: string) =>
      fixture.call('POST', `${DOMAINS}/${id}/verify`, { key: tenant.key, headers: { 'idempotency-key': key } });
    const key = unique();
    const first = await verifyOnce(key);
    await fixture.call('DELETE', `${DOMAINS}/${id}`, { key: tenant.key });
    const again = await verifyOnce(key);
    expect([first.status, again.status, again.data]).toEqual([200, 200, first.data]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await verifyOnce(unique())).status).toBe(404);
  });

  it.each([
    '',
    'localhost',
    'example.com.',
    'exa mple.com',
    'https://example.com',
    '127.0.0.1',
    'a_b.example',
    'x'.repeat(254),
    'a\0.example',
    7,
    null,
    undefined,
  ])('cannot have the name %j', async (name) => {
    const { status, error } = await create({ name });
    expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(error.message).toMatch(/^name: /);
  });

  it('is listed in pages and can be filtered by status', async () => {
    const { key } = await fixture.tenant();
    const domains = [await made(key), await made(key), await made(key)];
    publish(domains[1]!);
    await verify(domains[1]!.id, key);
    const list = async (query: string) =>
      (await fixture.call<EmailDomainPage>('GET', `${DOMAINS}?${query}`, { key })).data;
    const first = await list('limit=2');
    expect(first.domains.map(({ id }) => id)).toEqual(domains.slice(0, 2).map(({ id }) => id));
    const second = await list(`limit=2&cursor=${first.nextCursor}`);
    expect(second.domains.map(({ id }) => id)).toEqual([domains[2]!.id]);
    expect((await list('status=verified')).domains.map(({ id }) => id)).toEqual([domains[1]!.id]);
    expect((await fixture.call('GET', `${DOMAINS}?status=x`, { key })).status).toBe(422);
    expect((await verify(newId(), key)).status).toBe(404);
  });
});
