import { newId } from '@heliograph/database';
import { unique } from '@heliograph/testing';
import type { OneOperatorOnboarding, OperatorOnboardingList } from '../src/operator/operator.dto';
import type { OnboardingList, OneOnboarding } from '../src/channels/sms/sms.dto';
import { AccountFixture, type Answer, type Tenant } from './account-fixture';

const ONBOARDINGS = '/api/organization/sms/onboardings';
const REVIEWS = '/api/platform/sms/onboardings';
const ENTITY = '1101000000000000001';

describe('an SMS onboarding', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
  });

  const submit = (body: object = {}, key = tenant.key) =>
    fixture.call<OneOnboarding>('POST', ONBOARDINGS, {
      key,
      body: { name: `india-${unique()}`, country: 'IN', dltEntityId: ENTITY, ...body },
    });
  const submitted = async (body: object = {}) => (await submit(body)).data.onboarding;
  const one = async (id: string) =>
    (await fixture.call<OneOnboarding>('GET', `${ONBOARDINGS}/${id}`, { key: tenant.key })).data.onboarding;
  const change = (id: string, body: object) =>
    fixture.call<OneOnboarding>('PATCH', `${ONBOARDINGS}/${id}`, { key: tenant.key, body });
  const resubmit = (id: string) =>
    fixture.call<OneOnboarding>('POST', `${ONBOARDINGS}/${id}/resubmit`, { key: tenant.key });
  const approve = (id: string, body: object = {}) =>
    fixture.call<OneOperatorOnboarding>('POST', `${REVIEWS}/${id}/approve`, { operator: true, body });
  const reject = (id: string, reason: unknown = 'The register does not know this entity.') =>
    fixture.call<OneOperatorOnboarding>('POST', `${REVIEWS}/${id}/reject`, { operator: true, body: { reason } });
  const conflicts = (answer: Answer<unknown>) =>
    expect(answer).toMatchObject({ status: 409, error: { code: 'STATE_CONFLICT' } });
  const actionsOn = async (id: string) => {
    const path = `/api/organization/audit-log?targetId=${id}`;
    const { data } = await fixture.call<{ entries: { action: string; actor: { kind: string } }[] }>('GET', path, {
      key: tenant.key,
    });
    return data.entries.map(({ action, actor }) => `${actor.kind} ${action}`).toReversed();
  };

  it('is pending after its submission', async () => {
    const name = `india-${unique()}`;
    const { status, data } = await submit({ name });
    const { id, submittedAt, createdAt } = data.onboarding;
    expect(status).toBe(201);
    expect(data.onboarding).toEqual({
      id,
      name,
      country: 'IN',
      status: 'pending',
      dltEntityId: ENTITY,
      rejectionReason: null,
      submittedAt,
      decidedAt: null,
      createdAt,
    });
    expect(Math.abs(Date.now() - Date.parse(submittedAt!))).toBeLessThan(10_000);
    expect(await one(id)).toEqual(data.onboarding);
  });

  it('is approved by the operator, who can correct the entity id', async () => {
    const { id } = await submitted();
    const { status, data } = await approve(id, { dltEntityId: '1101000000000000009' });
    expect(status).toBe(200);
    expect(data.onboarding).toMatchObject({ status: 'approved', dltEntityId: '1101000000000000009' });
    expect(data.onboarding.organizationId).toBe(tenant.organizationId);
    expect(await one(id)).toMatchObject({ status: 'approved', decidedAt: expect.any(String) as string });
    conflicts(await approve(id));
    conflicts(await resubmit(id));
    expect(await actionsOn(id)).toEqual(['key sms.onboarding.submitted', 'operator sms.onboarding.approved']);
  });

  it('is rejected with a reason and can be resubmitted', async () => {
    const { id, submittedAt } = await submitted();
    const reason = 'The name differs from the register’s.';
    expect((await reject(id, reason)).data.onboarding).toMatchObject({ status: 'rejected', rejectionReason: reason });
    expect(await one(id)).toMatchObject({ status: 'rejected', rejectionReason: reason, submittedAt });
    conflicts(await reject(id));
    conflicts(await approve(id));
    const again = (await resubmit(id)).data.onboarding;
    expect(again).toMatchObject({ status: 'pending', rejectionReason: null, decidedAt: null });
    expect(Date.parse(again.submittedAt!)).toBeGreaterThanOrEqual(Date.parse(submittedAt!));
    conflicts(await resubmit(id));
    expect((await approve(id)).status).toBe(200);
    expect(await actionsOn(id)).toEqual([
      'key sms.onboarding.submitted',
      'operator sms.onboarding.rejected',
      'key sms.onboarding.submitted',
      'operator sms.onboarding.approved',
    ]);
  });

  it('loses its approval when the operator rejects it afterwards', async () => {
    const { id } = await submitted();
    await approve(id);
    expect((await reject(id)).data.onboarding.status).toBe('rejected');
    expect((await one(id)).status).toBe('rejected');
  });

  it('requires another approval for a changed entity id, but not for a changed name', async () => {
    const { id } = await submitted();
    await approve(id);
    const name = `new-${unique()}`;
    expect((await change(id, { name })).data.onboarding).toMatchObject({ name, status: 'approved' });
    expect((await change(id, { dltEntityId: ENTITY })).data.onboarding.status).toBe('approved');
    expect((await change(id, { dltEntityId: '1101000000000000002' })).data.onboarding).toMatchObject({
      status: 'pending',
      dltEntityId: '1101000000000000002',
      decidedAt: null,
    });
    await approve(id);
    expect((await change(id, { dltEntityId: null })).data.onboarding).toMatchObject({
      status: 'pending',
      dltEntityId: null,
    });
  });

  it('keeps its country and status on updates', async () => {
    const { id } = await submitted();
    for (const field of [{ country: 'DE' }, { status: 'approved' }, { rejectionReason: 'x' }]) {
      expect((await change(id, field)).status).toBe(422);
    }
    const { data } = await change(id, {});
    expect(data.onboarding).toMatchObject({ country: 'IN', status: 'pending', rejectionReason: null });
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(201) }],
    ['name', { name: 'a\nb' }],
    ['country', { country: 'in' }],
    ['country', { country: 'XX' }],
    ['country', { country: 'India' }],
    ['country', { country: null }],
    ['dltEntityId', { dltEntityId: '12a' }],
    ['dltEntityId', { dltEntityId: '' }],
    ['dltEntityId', { dltEntityId: 1101 }],
  ])('is rejected with a message about %s: %j', async (field, body) => {
    const { status, error } = await submit(body);
    expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(error.message).toMatch(new RegExp(`^${field}: `));
  });

  it('has a name that is unique in the organization', async () => {
    const { name } = await submitted();
    const taken = { status: 409, error: { code: 'NAME_TAKEN' } };
    expect(await submit({ name })).toMatchObject(taken);
    expect(await change((await submitted()).id, { name })).toMatchObject(taken);
    expect((await submit({ name }, (await fixture.tenant()).key)).status).toBe(201);
  });

  it.each(['', ' ', null, 7, undefined, 'x'.repeat(1_001)])('cannot be rejected with the reason %j', async (reason) => {
    const { id } = await submitted();
    const body = { operator: true, body: reason === undefined ? {} : { reason } };
    const { status, error } = await fixture.call('POST', `${REVIEWS}/${id}/reject`, body);
    expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(error.message).toMatch(/^(?:reason|rejectionReason): /);
    expect((await one(id)).status).toBe('pending');
  });

  it('cannot be approved or rejected if it does not exist', async () => {
    for (const id of [newId(), 'x']) {
      expect(await approve(id)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
      expect(await reject(id)).toMatchObject({ status: 404 });
    }
  });

  it('is decided once by concurrent requests', async () => {
    const { id } = await submitted();
    const statuses = (await Promise.all([approve(id), approve(id), approve(id)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409]);
  });

  it('is listed by status for its organization, and across organizations for the operator', async () => {
    const mine = await fixture.tenant();
    const waiting = (await submit({}, mine.key)).data.onboarding;
    const decided = (await submit({}, mine.key)).data.onboarding;
    await approve(decided.id);
    const list = async (status: string) => {
      const { data } = await fixture.call<OnboardingList>('GET', `${ONBOARDINGS}?status=${status}`, { key: mine.key });
      return data.onboardings.map(({ id }) => id);
    };
    expect([await list('pending'), await list('approved'), await list('rejected')]).toEqual([
      [waiting.id],
      [decided.id],
      [],
    ]);
    const path = `${REVIEWS}?limit=100&status=pending`;
    const { data } = await fixture.call<OperatorOnboardingList>('GET', path, { operator: true });
    const seen = new Map(data.onboardings.map(({ id, organizationId }) => [id, organizationId]));
    expect(seen.get(waiting.id)).toBe(mine.organizationId);
    expect(seen.has(decided.id)).toBe(false);
    expect(new Set(seen.values()).size).toBeGreaterThan(1);
    expect((await fixture.call('GET', `${ONBOARDINGS}?status=new`, { key: mine.key })).status).toBe(422);
  });
});
