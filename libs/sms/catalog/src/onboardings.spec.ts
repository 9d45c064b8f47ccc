import { newId } from '@heliograph/database';
import type { DataSource, EntityManager } from 'typeorm';
import { CatalogFixture, PAGE, refused } from './catalog.fixture';
import type { CatalogService } from './catalog.service';

let fixture: CatalogFixture;
let dataSource: DataSource;
let catalog: CatalogService;
/** A new organization for each test. */
let organizationId: string;

beforeAll(async () => {
  fixture = await CatalogFixture.start();
  ({ dataSource, catalog } = fixture);
});
afterAll(() => fixture.stop());
beforeEach(() => {
  organizationId = fixture.newOrganization();
});

const approvedOnboarding = async () => {
  const { id } = await fixture.onboarding();
  return (await fixture.write((transaction) => catalog.approveOnboardingAcrossTenants(transaction, id))).after;
};

describe('an onboarding', () => {
  it('is pending after creation and can be read', async () => {
    const made = await fixture.onboarding();
    expect(made).toMatchObject({ status: 'pending', submittedAt: expect.any(Date), decidedAt: null });
    expect(made.createdAt).toEqual(made.updatedAt);
    expect(await catalog.onboardingOf(dataSource.manager, organizationId, made.id)).toEqual(made);
  });

  it('has a unique name within its organization', async () => {
    await fixture.onboarding();
    await expect(fixture.onboarding()).rejects.toEqual(refused('NAME_TAKEN'));
    const other = await fixture.onboarding(newId());
    expect(other.name).toBe('india');
    const second = await fixture.onboarding(organizationId, 'second');
    const rename = (transaction: EntityManager) =>
      catalog.changeOnboarding(transaction, organizationId, second.id, { name: 'india' });
    await expect(fixture.write(rename)).rejects.toEqual(refused('NAME_TAKEN'));
  });

  it('is created once by concurrent calls', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => fixture.onboarding()));
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(reasons).toEqual(Array.from({ length: 7 }, () => refused('NAME_TAKEN')));
  });

  it('is approved once, with the entity id that the operator provides', async () => {
    const { id } = await fixture.onboarding();
    const approve = () =>
      fixture.write((transaction) => catalog.approveOnboardingAcrossTenants(transaction, id, { dltEntityId: '42' }));
    const { before, after } = await approve();
    expect(before).toMatchObject({ status: 'pending', dltEntityId: '1101000000000000001' });
    expect(after).toMatchObject({ status: 'approved', dltEntityId: '42', decidedAt: expect.any(Date) });
    expect(await catalog.onboardingOf(dataSource.manager, organizationId, id)).toEqual(after);
    await expect(approve()).rejects.toEqual(refused('STATE_CONFLICT'));
  });

  it('is rejected with a reason, submitted again and approved', async () => {
    const { id } = await fixture.onboarding();
    const reject = () =>
      fixture.write((transaction) => catalog.rejectOnboardingAcrossTenants(transaction, id, 'Not in the register.'));
    const resubmit = () => fixture.write((transaction) => catalog.resubmitOnboarding(transaction, organizationId, id));
    await expect(resubmit()).rejects.toEqual(refused('STATE_CONFLICT'));
    expect((await reject()).after).toMatchObject({ status: 'rejected', rejectionReason: 'Not in the register.' });
    await expect(reject()).rejects.toEqual(refused('STATE_CONFLICT'));
    expect((await resubmit()).after).toMatchObject({ status: 'pending', rejectionReason: null, decidedAt: null });
    const { after } = await fixture.write((transaction) => catalog.approveOnboardingAcrossTenants(transaction, id));
    expect(after).toMatchObject({ status: 'approved', rejectionReason: null });
  });

  it('is decided once by concurrent operators', async () => {
    const { id } = await fixture.onboarding();
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () =>
        fixture.write((transaction) => catalog.approveOnboardingAcrossTenants(transaction, id)),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('remains approved after a new name with the same entity id, but not after a new entity id', async () => {
    const { id, dltEntityId } = await approvedOnboarding();
    const change = (changes: { name?: string; dltEntityId?: string | null }) =>
      fixture.write((transaction) => catalog.changeOnboarding(transaction, organizationId, id, changes));
    const renamed = await change({ name: 'renamed', dltEntityId });
    expect(renamed.before.name).toBe('india');
    expect(renamed.after).toMatchObject({ name: 'renamed', status: 'approved', dltEntityId });
    expect(renamed.after.updatedAt.getTime()).toBeGreaterThan(renamed.before.updatedAt.getTime());
    expect((await change({ dltEntityId: null })).after).toMatchObject({ status: 'pending', dltEntityId: null });
  });

  it('is not changed by values that are not part of it', async () => {
    const { id } = await fixture.onboarding();
    const smuggled = { name: 'x', status: 'approved', organizationId: newId(), id: newId() };
    const { after } = await fixture.write((transaction) =>
      catalog.changeOnboarding(transaction, organizationId, id, smuggled),
    );
    expect(after).toMatchObject({ id, organizationId, name: 'x', status: 'pending' });
  });

  it('is listed in pages and by status, for its organization and for the operator', async () => {
    const made = [
      await fixture.onboarding(),
      await fixture.onboarding(organizationId, 'b'),
      await fixture.onboarding(organizationId, 'c'),
    ];
    const ids = made.map(({ id }) => id);
    await fixture.write((transaction) => catalog.approveOnboardingAcrossTenants(transaction, ids[1]!));
    const list = (after: string | null) =>
      catalog.listOnboardings(dataSource.manager, organizationId, { limit: 2, after });
    const first = await list(null);
    expect(first).toMatchObject({ items: [{ id: ids[0] }, { id: ids[1] }], next: ids[1] });
    expect(await list(first.next)).toMatchObject({ items: [{ id: ids[2] }], next: null });
    await expect(list('nonsense')).rejects.toEqual(refused('VALIDATION_ERROR'));
    const approved = await catalog.listOnboardings(dataSource.manager, organizationId, PAGE, { status: 'approved' });
    expect(approved.items.map(({ id }) => id)).toEqual([ids[1]]);
    const pending = await catalog.listOnboardingsAcrossTenants(
      dataSource.manager,
      { limit: 10_000, after: null },
      { status: 'pending' },
    );
    expect(pending.items.map(({ id }) => id)).toEqual(expect.arrayContaining([ids[0], ids[2]]));
    expect(pending.items.every(({ status }) => status === 'pending')).toBe(true);
    expect(new Set(pending.items.map((each) => each.organizationId)).size).toBeGreaterThan(1);
  });
});
