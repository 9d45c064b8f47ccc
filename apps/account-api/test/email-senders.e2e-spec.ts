import { unique } from '@heliograph/testing';
import type { EmailSenderPage, EmailSenderRecord, OneEmailSender } from '../src/channels/email/senders/senders.dto';
import { AccountFixture, type Tenant } from './account-fixture';

const SENDERS = '/api/organization/email/senders';

describe('an email sender', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let domain: { id: string; name: string };
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
    domain = await addDomain();
  });

  async function addDomain(): Promise<{ id: string; name: string }> {
    const body = { name: `${unique()}.example` };
    const path = '/api/organization/email/domains';
    const { data } = await fixture.call<{ domain: typeof domain }>('POST', path, { key: tenant.key, body });
    return data.domain;
  }
  const create = (body: object) =>
    fixture.call<OneEmailSender>('POST', SENDERS, {
      key: tenant.key,
      body: { address: `${unique()}@${domain.name}`, ...body },
    });
  const made = async (body: object = {}): Promise<EmailSenderRecord> => (await create(body)).data.sender;
  const change = (id: string, body: object) =>
    fixture.call<OneEmailSender>('PATCH', `${SENDERS}/${id}`, { key: tenant.key, body });
  const remove = (id: string) => fixture.call<OneEmailSender>('DELETE', `${SENDERS}/${id}`, { key: tenant.key });
  const one = async (id: string) =>
    (await fixture.call<OneEmailSender>('GET', `${SENDERS}/${id}`, { key: tenant.key })).data.sender;
  const list = async (query = '') =>
    (await fixture.call<EmailSenderPage>('GET', `${SENDERS}${query}`, { key: tenant.key })).data.senders;

  it('is an address on a domain of the organization; the first one becomes the default', async () => {
    const { status, data } = await create({ address: `Hello@${domain.name.toUpperCase()}`, name: 'Acme' });
    const { id, createdAt } = data.sender;
    expect(status).toBe(201);
    expect(data.sender).toEqual({
      id,
      address: `Hello@${domain.name}`,
      name: 'Acme',
      domainId: domain.id,
      isMain: true,
      createdAt,
    });
    expect(await one(id)).toEqual(data.sender);
    expect(await made()).toMatchObject({ name: null, isMain: false });
  });

  it('replaces the default sender', async () => {
    const first = await made();
    const second = await made();
    expect((await change(second.id, { isMain: true })).data.sender).toEqual({ ...second, isMain: true });
    expect(await one(first.id)).toEqual({ ...first, isMain: false });
    const third = await made({ isMain: true });
    expect((await list()).filter(({ isMain }) => isMain).map(({ id }) => id)).toEqual([third.id]);
    expect(await change(third.id, { isMain: false })).toMatchObject({ status: 409, error: { code: 'STATE_CONFLICT' } });
  });

  it('can be renamed, with an audit entry for each change', async () => {
    const sender = await made({ name: 'Acme' });
    expect((await change(sender.id, { name: 'Acme Ltd' })).data.sender).toEqual({ ...sender, name: 'Acme Ltd' });
    expect((await change(sender.id, { name: null })).data.sender.name).toBeNull();
    expect((await change(sender.id, { address: 'other@example.com' })).status).toBe(422);
    await remove(sender.id);
    const { data } = await fixture.call<{ entries: { action: string; before: object; after: object }[] }>(
      ...(['GET', `/api/organization/audit-log?targetId=${sender.id}`, { key: tenant.key }] as const),
    );
    expect(data.entries.map(({ action, before, after }) => [action, before, after]).toReversed()).toEqual([
      ['email.sender.created', null, sender],
      ['email.sender.changed', { name: 'Acme' }, { name: 'Acme Ltd' }],
      ['email.sender.changed', { name: 'Acme Ltd' }, { name: null }],
      ['email.sender.removed', { ...sender, name: null }, null],
    ]);
  });

  it('can be deleted, but the default sender only if it is the last one', async () => {
    const main = await made();
    const other = await made();
    expect(await remove(main.id)).toMatchObject({ status: 409, error: { code: 'STATE_CONFLICT' } });
    expect(await remove(other.id)).toMatchObject({ status: 200, data: { sender: other } });
    expect((await remove(main.id)).status).toBe(200);
    expect((await remove(main.id)).status).toBe(404);
    expect(await list()).toEqual([]);
  });

  it('refuses an address that another sender has in upper or lower case', async () => {
    const { address } = await made();
    const taken = await create({ address: address.toUpperCase() });
    expect(taken).toMatchObject({ status: 409, error: { code: 'NAME_TAKEN' } });
  });

  it.each([
    ['address', { address: '' }],
    ['address', { address: 'hello' }],
    ['address', { address: 'hello@elsewhere.example' }],
    ['address', { address: 'Acme <hello@acme.example>' }],
    ['address', { address: 'a@acme.example,b@acme.example' }],
    ['address', { address: 'a@acme.example\r\nBcc: b@acme.example' }],
    ['address', { address: 7 }],
    ['name', { name: 'Acme\r\nBcc: eve@example.com' }],
    ['name', { name: 'Acme\0' }],
    ['name', { name: 'x'.repeat(201) }],
    ['name', { name: 7 }],
    ['isMain', { isMain: 'true' }],
    ['isMain', { isMain: null }],
  ])('is rejected with a message about %s: %j', async (field, body) => {
    const { status, error } = await create(body);
    expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(error.message).toMatch(new RegExp(`^${field}: `));
  });

  it('cannot be on a domain of another organization', async () => {
    const { name } = domain;
    tenant = await fixture.tenant();
    expect(await create({ address: `hello@${name}` })).toMatchObject({ status: 422 });
  });

  it('can be listed by domain', async () => {
    const here = await made();
    const elsewhere = await addDomain();
    const there = await made({ address: `hello@${elsewhere.name}` });
    expect((await list(`?domainId=${elsewhere.id}`)).map(({ id }) => id)).toEqual([there.id]);
    expect((await list()).map(({ id }) => id)).toEqual([here.id, there.id]);
    expect((await fixture.call('GET', `${SENDERS}?domainId=x`, { key: tenant.key })).status).toBe(422);
  });
});
