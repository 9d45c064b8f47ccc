import { newId } from '@heliograph/database';
import { unique } from '@heliograph/testing';
import type { OneSender, SenderPage } from '../src/channels/sms/sms.dto';
import { AccountFixture, type Tenant } from './account-fixture';

const SENDERS = '/api/organization/sms/senders';

describe('an SMS sender', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let onboardingId: string;
  let count = 0;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
    onboardingId = await onboarding();
  });

  async function onboarding(): Promise<string> {
    const body = { name: unique(), country: 'IN' };
    const path = '/api/organization/sms/onboardings';
    return (await fixture.call<{ onboarding: { id: string } }>('POST', path, { key: tenant.key, body })).data.onboarding
      .id;
  }
  const create = (body: object) =>
    fixture.call<OneSender>('POST', SENDERS, {
      key: tenant.key,
      body: { header: `S${++count}`, onboardingId, ...body },
    });
  const change = (id: string, body: object) =>
    fixture.call<OneSender>('PATCH', `${SENDERS}/${id}`, { key: tenant.key, body });
  const list = async (query: string) => {
    const { data } = await fixture.call<SenderPage>('GET', `${SENDERS}${query}`, { key: tenant.key });
    return data.senders.map(({ id }) => id);
  };

  it('is created active and without a DLT id by default', async () => {
    const { status, data } = await create({ header: 'ACMEIN' });
    const { id, createdAt } = data.sender;
    expect(status).toBe(201);
    expect(data.sender).toEqual({ id, header: 'ACMEIN', onboardingId, dltSenderId: null, isActive: true, createdAt });
    expect((await fixture.call('GET', `${SENDERS}/${id}`, { key: tenant.key })).data).toEqual(data);
    const idle = await create({ dltSenderId: '1105000000000000001', isActive: false });
    expect(idle.data.sender).toMatchObject({ dltSenderId: '1105000000000000001', isActive: false });
  });

  it('is audited when it is deactivated, activated or gets another DLT id', async () => {
    const { sender } = (await create({})).data;
    expect((await change(sender.id, { isActive: false })).data.sender).toEqual({ ...sender, isActive: false });
    expect((await change(sender.id, { dltSenderId: '110' })).data.sender).toMatchObject({
      isActive: false,
      dltSenderId: '110',
    });
    expect((await change(sender.id, { isActive: true, dltSenderId: null })).data.sender).toEqual(sender);
    const path = `/api/organization/audit-log?targetId=${sender.id}&action=sms.sender.changed`;
    const { data } = await fixture.call<{ entries: { before: object; after: object }[] }>('GET', path, {
      key: tenant.key,
    });
    expect(data.entries.map(({ before, after }) => [before, after]).toReversed()).toEqual([
      [{ isActive: true }, { isActive: false }],
      [{ dltSenderId: null }, { dltSenderId: '110' }],
      [
        { dltSenderId: '110', isActive: false },
        { dltSenderId: null, isActive: true },
      ],
    ]);
  });

  it('keeps its header and onboarding on updates', async () => {
    const { sender } = (await create({})).data;
    for (const field of [{ header: 'STOLEN' }, { onboardingId: await onboarding() }]) {
      expect((await change(sender.id, field)).status).toBe(422);
    }
    const { data } = await change(sender.id, {});
    expect(data.sender).toEqual(sender);
  });

  it.each([
    ['header', { header: '' }],
    ['header', { header: 'TWELVELETTER' }],
    ['header', { header: 'ÄÖ' }],
    ['header', { header: '1234567890123456' }],
    ['header', { header: ' ACME' }],
    ['header', { header: 56_161 }],
    ['dltSenderId', { dltSenderId: 'abc' }],
    ['dltSenderId', { dltSenderId: '1'.repeat(31) }],
    ['isActive', { isActive: 'true' }],
    ['isActive', { isActive: null }],
    ['onboardingId', { onboardingId: null }],
  ])('is rejected with a message about %s: %j', async (field, body) => {
    const { status, error } = await create(body);
    expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(error.message).toMatch(new RegExp(`^${field}: `));
  });

  it('requires an existing onboarding', async () => {
    for (const unknown of [newId(), 'x']) {
      expect(await create({ onboardingId: unknown })).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
    }
  });

  it('has a header that is unique in the organization', async () => {
    const { sender } = (await create({})).data;
    const taken = await create({ header: sender.header, onboardingId: await onboarding() });
    expect(taken).toMatchObject({ status: 409, error: { code: 'NAME_TAKEN' } });
  });

  it('is listed by onboarding and state', async () => {
    const another = await onboarding();
    const active = (await create({ onboardingId: another })).data.sender.id;
    const idle = (await create({ onboardingId: another, isActive: false })).data.sender.id;
    expect(await list(`?onboardingId=${another}`)).toEqual([active, idle]);
    expect(await list(`?onboardingId=${another}&isActive=true`)).toEqual([active]);
    expect(await list(`?onboardingId=${another}&isActive=false`)).toEqual([idle]);
    expect(await list(`?onboardingId=${newId()}`)).toEqual([]);
    for (const query of ['isActive=yes', 'onboardingId=x']) {
      expect((await fixture.call('GET', `${SENDERS}?${query}`, { key: tenant.key })).status).toBe(422);
    }
  });
});
