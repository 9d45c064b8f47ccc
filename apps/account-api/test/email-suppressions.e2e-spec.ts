import { unique } from '@heliograph/testing';
import type { EmailSuppressionPage, OneEmailSuppression } from '../src/channels/email/suppressions/suppressions.dto';
import { AccountFixture, type Tenant } from './account-fixture';

const SUPPRESSIONS = '/api/organization/email/suppressions';

describe('an email suppression', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
  });

  const create = (body: object, key = tenant.key) =>
    fixture.call<OneEmailSuppression>('POST', SUPPRESSIONS, { key, body });
  const remove = (address: string, query = '') => {
    const path = `${SUPPRESSIONS}/${encodeURIComponent(address)}${query}`;
    return fixture.call<OneEmailSuppression>('DELETE', path, { key: tenant.key });
  };
  const list = async (query: string, key = tenant.key) =>
    (await fixture.call<EmailSuppressionPage>('GET', `${SUPPRESSIONS}${query}`, { key })).data;
  /** Stores a suppression as after an abuse report. */
  const complain = (address: string) =>
    fixture.database.query(
      `INSERT INTO email.suppressions (organization_id, address_key, address, reason) VALUES ($1, $2, $2, 'complained')`,
      [tenant.organizationId, address],
    );
  const anAddress = () => `${unique()}@example.com`;

  it('can be created and deleted', async () => {
    const address = `Ann.${unique()}@example.com`;
    const { status, data } = await create({ address });
    const { createdAt } = data.suppression;
    expect(status).toBe(201);
    expect(data.suppression).toEqual({ address, scope: 'all', reason: 'manual', messageId: null, createdAt });
    expect(await list(`?address=${address.toUpperCase()}`)).toEqual({ suppressions: [data.suppression] });
    expect(await remove(address.toLowerCase())).toMatchObject({ status: 200, data });
    expect((await remove(address)).status).toBe(404);
    expect(await list(`?address=${address}`)).toEqual({ suppressions: [] });
  });

  it('can be imported from another provider with its reason', async () => {
    for (const reason of ['bounced', 'unsubscribed']) {
      expect((await create({ address: anAddress(), reason })).data.suppression.reason).toBe(reason);
    }
    expect((await create({ address: anAddress(), reason: 'complained' })).status).toBe(422);
  });

  it('keeps its reason unless the new reason is stronger', async () => {
    const address = anAddress();
    await create({ address, reason: 'bounced' });
    expect((await create({ address })).data.suppression.reason).toBe('bounced');
    expect((await create({ address, reason: 'unsubscribed' })).data.suppression.reason).toBe('unsubscribed');
    const path = `/api/organization/audit-log?targetId=${encodeURIComponent(address)}`;
    const { data } = await fixture.call<{ entries: { action: string; after: object }[] }>('GET', path, {
      key: tenant.key,
    });
    expect(data.entries.map(({ action }) => action).toReversed()).toEqual([
      'email.suppression.created',
      'email.suppression.changed',
    ]);
    expect(data.entries[0]?.after).toMatchObject({ reason: 'unsubscribed' });
  });

  it('cannot be deleted after a complaint', async () => {
    const address = anAddress();
    await complain(address);
    expect(await remove(address)).toMatchObject({ status: 409, error: { code: 'STATE_CONFLICT' } });
    expect((await create({ address, reason: 'unsubscribed' })).data.suppression.reason).toBe('complained');
    expect((await list(`?address=${address}`)).suppressions).toHaveLength(1);
  });

  it('row 27: has a scope, is listed by scope, and is deleted by scope if the address has several', async () => {
    const address = anAddress();
    for (const scope of ['news', 'marketing', 'all']) {
      const { status, data } = await create({ address, scope, reason: 'unsubscribed' });
      expect([status, data.suppression.scope]).toEqual([201, scope]);
    }
    const scopes = async (query: string) =>
      (await list(`?address=${address}${query}`)).suppressions.map(({ scope }) => scope);
    expect(await scopes('')).toEqual(['all', 'marketing', 'news']);
    expect(await scopes('&scope=news')).toEqual(['news']);
    expect(await remove(address)).toMatchObject({
      status: 409,
      error: { code: 'STATE_CONFLICT', message: expect.stringContaining('all, marketing, news') },
    });
    expect((await remove(address, '?scope=sales')).status).toBe(404);
    expect((await remove(address, '?scope=all')).data.suppression.scope).toBe('all');
    expect((await remove(address, '?scope=news')).data.suppression.scope).toBe('news');
    expect((await remove(address)).data.suppression.scope).toBe('marketing');
  });

  it('row 27: stores a separate reason for each scope', async () => {
    const address = anAddress();
    await complain(address);
    expect((await create({ address, scope: 'news' })).data.suppression).toMatchObject({ reason: 'manual' });
    expect((await remove(address, '?scope=all')).status).toBe(409);
    expect((await remove(address, '?scope=news')).status).toBe(200);
  });

  it('belongs to one organization only', async () => {
    const other = await fixture.tenant();
    const address = anAddress();
    await create({ address }, other.key);
    expect((await list(`?address=${address}`)).suppressions).toEqual([]);
    expect((await remove(address)).status).toBe(404);
    expect((await list('', other.key)).suppressions).toHaveLength(1);
  });

  it('is listed in pages and can be filtered by address and reason', async () => {
    const { key } = await fixture.tenant();
    for (const name of ['c', 'a', 'B']) await create({ address: `${name}@example.com`, reason: 'bounced' }, key);
    await create({ address: 'd@example.com' }, key);
    const addresses = ({ suppressions }: EmailSuppressionPage) => suppressions.map(({ address }) => address);
    const first = await list('?limit=3', key);
    expect(addresses(first)).toEqual(['a@example.com', 'B@example.com', 'c@example.com']);
    expect(addresses(await list(`?limit=3&cursor=${first.nextCursor}`, key))).toEqual(['d@example.com']);
    expect(addresses(await list('?reason=manual', key))).toEqual(['d@example.com']);
    expect(addresses(await list('?reason=bounced&limit=1', key))).toEqual(['a@example.com']);
    expect(addresses(await list('?address=nobody', key))).toEqual([]);
    for (const query of ['reason=x', 'address=', 'cursor=%00', 'limit=0', 'scope=transactional', 'scope=']) {
      expect((await fixture.call('GET', `${SUPPRESSIONS}?${query}`, { key })).status).toBe(422);
    }
  });

  it.each([
    ['address', { address: '' }],
    ['address', { address: 'ann' }],
    ['address', { address: 'Ann <ann@example.com>' }],
    ['address', { address: 'a@example.com, b@example.com' }],
    ['address', { address: null }],
    ['address', {}],
    ['scope', { address: 'ann@example.com', scope: 'transactional' }],
    ['scope', { address: 'ann@example.com', scope: 'My list' }],
    ['scope', { address: 'ann@example.com', scope: null }],
    ['reason', { address: 'ann@example.com', reason: 'because' }],
    ['reason', { address: 'ann@example.com', reason: null }],
  ])('is rejected with a message about %s: %j', async (field, body) => {
    const { status, error } = await create(body);
    expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(error.message).toMatch(new RegExp(`^${field}: `));
  });
});
