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

describe('the schema of the SMS catalog', () => {
  it('matches the entities', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });
});

describe('a sender', () => {
  it('is created, updated and read', async () => {
    const { id: onboardingId } = await fixture.onboarding();
    const made = await fixture.sender({ onboardingId });
    const { before, after } = await fixture.write((transaction) =>
      catalog.changeSender(transaction, organizationId, made.id, { isActive: false }),
    );
    expect(before).toEqual(made);
    expect(after).toMatchObject({ header: 'ACMEIN', dltSenderId: '1105', isActive: false });
    expect(await catalog.senderOf(dataSource.manager, organizationId, made.id)).toEqual(after);
  });

  it('has a unique header within its organization', async () => {
    const { id: onboardingId } = await fixture.onboarding();
    await fixture.sender({ onboardingId });
    await expect(fixture.sender({ onboardingId })).rejects.toMatchObject({
      code: 'NAME_TAKEN',
      message: expect.stringContaining('header is already used by another sender'),
    });
    const other = newId();
    expect(await fixture.sender({ onboardingId: (await fixture.onboarding(other)).id }, other)).toMatchObject({
      header: 'ACMEIN',
    });
  });

  it('is listed by onboarding and active state', async () => {
    const one = await fixture.onboarding();
    const two = await fixture.onboarding(organizationId, 'second');
    await fixture.sender({ onboardingId: one.id, header: 'ONE' });
    await fixture.sender({ onboardingId: two.id, header: 'TWO' });
    await fixture.sender({ onboardingId: two.id, header: 'IDLE', isActive: false });
    const headers = async (filter: Parameters<CatalogService['listSenders']>[3]) =>
      (await catalog.listSenders(dataSource.manager, organizationId, PAGE, filter)).items.map(({ header }) => header);
    expect(await headers({})).toEqual(['ONE', 'TWO', 'IDLE']);
    expect(await headers({ onboardingId: two.id })).toEqual(['TWO', 'IDLE']);
    expect(await headers({ onboardingId: two.id, isActive: true })).toEqual(['TWO']);
    expect(await headers({ isActive: false })).toEqual(['IDLE']);
  });
});

describe('a template', () => {
  it('is created, updated and read', async () => {
    const { id: onboardingId } = await fixture.onboarding();
    const made = await fixture.template({ onboardingId });
    const changes = { name: 'code', body: '{{code}}!', dltTemplateId: null, isActive: false };
    const { before, after } = await fixture.write((transaction) =>
      catalog.changeTemplate(transaction, organizationId, made.id, changes),
    );
    expect(before).toEqual(made);
    expect(after).toMatchObject({ ...changes, onboardingId });
    expect(await catalog.templateOf(dataSource.manager, organizationId, made.id)).toEqual(after);
  });

  it('has a unique name within its onboarding', async () => {
    const one = await fixture.onboarding();
    const two = await fixture.onboarding(organizationId, 'second');
    await fixture.template({ onboardingId: one.id });
    await expect(fixture.template({ onboardingId: one.id })).rejects.toEqual(refused('NAME_TAKEN'));
    await fixture.template({ onboardingId: two.id });
    const other = await fixture.template({ onboardingId: one.id, name: 'other' });
    const rename = (transaction: EntityManager) =>
      catalog.changeTemplate(transaction, organizationId, other.id, { name: 'otp' });
    await expect(fixture.write(rename)).rejects.toEqual(refused('NAME_TAKEN'));
  });

  it('is listed by onboarding and active state, in pages', async () => {
    const { id: onboardingId } = await fixture.onboarding();
    const made = [];
    for (const name of ['a', 'b', 'c'])
      made.push(await fixture.template({ onboardingId, name, isActive: name !== 'b' }));
    const list = (after: string | null) =>
      catalog.listTemplates(dataSource.manager, organizationId, { limit: 1, after }, { onboardingId, isActive: true });
    expect(await list(null)).toEqual({ items: [made[0]], next: made[0]!.id });
    expect(await list(made[0]!.id)).toEqual({ items: [made[2]], next: null });
  });
});

describe('an entry of another organization, or an unknown or invalid id', () => {
  /** [operation, its call with an id and an organization] */
  const acts: [string, (id: string, transaction: EntityManager, organization: string) => Promise<unknown>][] = [
    ['updating an onboarding', (id, t, of) => catalog.changeOnboarding(t, of, id, { name: 'stolen' })],
    ['resubmitting an onboarding', (id, t, of) => catalog.resubmitOnboarding(t, of, id)],
    ['reading an onboarding', (id, t, of) => catalog.onboardingOf(t, of, id)],
    ['updating a sender', (id, t, of) => catalog.changeSender(t, of, id, { isActive: false })],
    ['reading a sender', (id, t, of) => catalog.senderOf(t, of, id)],
    ['updating a template', (id, t, of) => catalog.changeTemplate(t, of, id, { body: 'stolen' })],
    ['reading a template', (id, t, of) => catalog.templateOf(t, of, id)],
    [
      'creating a sender',
      (onboardingId, t, of) =>
        catalog.createSender(t, of, { header: 'THIEF', onboardingId, dltSenderId: null, isActive: true }),
    ],
    [
      'creating a template',
      (onboardingId, t, of) =>
        catalog.createTemplate(t, of, { name: 'x', onboardingId, body: 'x', dltTemplateId: null, isActive: true }),
    ],
    [
      'putting a sender',
      (onboardingId, t, of) =>
        catalog.putSender(t, of, { header: 'THIEF', onboardingId, dltSenderId: null, isActive: true }),
    ],
    [
      'putting a template',
      (onboardingId, t, of) =>
        catalog.putTemplate(t, of, { name: 'x', onboardingId, body: 'x', dltTemplateId: null, isActive: true }),
    ],
  ];

  it.each(acts)('is not found when %s', async (_what, act) => {
    const theirs = await fixture.onboarding(newId());
    const theirSender = await fixture.sender({ onboardingId: theirs.id }, theirs.organizationId);
    const theirTemplate = await fixture.template({ onboardingId: theirs.id }, theirs.organizationId);
    const ids = [theirs.id, theirSender.id, theirTemplate.id, newId(), 'nonsense', ''];
    for (const id of ids) {
      await expect(fixture.write((transaction) => act(id, transaction, organizationId))).rejects.toEqual(
        refused('NOT_FOUND'),
      );
    }
  });

  it('cannot be approved or rejected', async () => {
    for (const id of [newId(), 'nonsense']) {
      await expect(fixture.write((t) => catalog.approveOnboardingAcrossTenants(t, id))).rejects.toEqual(
        refused('NOT_FOUND'),
      );
      await expect(fixture.write((t) => catalog.rejectOnboardingAcrossTenants(t, id, 'x'))).rejects.toEqual(
        refused('NOT_FOUND'),
      );
    }
  });

  it('is not listed', async () => {
    const theirs = await fixture.onboarding(newId());
    await fixture.sender({ onboardingId: theirs.id }, theirs.organizationId);
    await fixture.template({ onboardingId: theirs.id }, theirs.organizationId);
    const { manager } = dataSource;
    const filter = { onboardingId: theirs.id };
    const empty = { items: [], next: null };
    expect(await catalog.listOnboardings(manager, organizationId, PAGE)).toEqual(empty);
    expect(await catalog.listSenders(manager, organizationId, PAGE, filter)).toEqual(empty);
    expect(await catalog.listTemplates(manager, organizationId, PAGE, filter)).toEqual(empty);
  });
});

describe('an invalid value', () => {
  it('is rejected by every write, and nothing is written', async () => {
    const { id: onboardingId } = await fixture.onboarding();
    const { id: senderId } = await fixture.sender({ onboardingId });
    const { id: templateId } = await fixture.template({ onboardingId });
    const rows = () => fixture.database.query('SELECT * FROM sms.onboardings, sms.senders, sms.templates ORDER BY 1');
    const before = await rows();
    const bad = { name: '', header: '', body: '', country: 'xx', dltEntityId: '', dltSenderId: '', dltTemplateId: '' };
    const whole = { ...bad, onboardingId, status: 'approved', isActive: true } as const;
    const writes: ((t: EntityManager) => Promise<unknown>)[] = [
      (t) => catalog.createOnboarding(t, organizationId, bad),
      (t) => catalog.changeOnboarding(t, organizationId, onboardingId, bad),
      (t) => catalog.approveOnboardingAcrossTenants(t, onboardingId, bad),
      (t) => catalog.rejectOnboardingAcrossTenants(t, onboardingId, ''),
      (t) => catalog.createSender(t, organizationId, whole),
      (t) => catalog.changeSender(t, organizationId, senderId, bad),
      (t) => catalog.createTemplate(t, organizationId, whole),
      (t) => catalog.changeTemplate(t, organizationId, templateId, bad),
      (t) => catalog.putOnboarding(t, organizationId, whole),
      (t) => catalog.putSender(t, organizationId, whole),
      (t) => catalog.putTemplate(t, organizationId, whole),
      (t) => catalog.putRate(t, 'xx', 1),
      (t) => catalog.putRate(t, 'DE', -1),
    ];
    for (const each of writes) await expect(fixture.write(each)).rejects.toEqual(refused('VALIDATION_ERROR'));
    expect(await rows()).toEqual(before);
  });
});

describe('provisioning', () => {
  it('finds entries by their natural keys and does not change identical entries', async () => {
    const put = async () => {
      const { id: onboardingId } = await catalog.putOnboarding(dataSource.manager, organizationId, {
        name: 'india',
        country: 'IN',
        status: 'approved',
        dltEntityId: '11',
      } as const);
      await catalog.putSender(dataSource.manager, organizationId, {
        header: 'ACME',
        onboardingId,
        dltSenderId: null,
        isActive: true,
      });
      await catalog.putTemplate(dataSource.manager, organizationId, {
        name: 'otp',
        onboardingId,
        body: '{{code}}',
        dltTemplateId: null,
        isActive: true,
      });
    };
    const rows = async () =>
      Promise.all(
        ['onboardings', 'senders', 'templates'].map((table) =>
          dataSource.query(`SELECT * FROM sms.${table} WHERE organization_id = $1`, [organizationId]),
        ),
      );
    await put();
    const before = await rows();
    expect(before.map((each: unknown[]) => each.length)).toEqual([1, 1, 1]);
    await put();
    expect(await rows()).toEqual(before);
  });

  it('sets a status, and keeps the reason of an unchanged rejection', async () => {
    const { id } = await fixture.onboarding();
    await fixture.write((t) => catalog.rejectOnboardingAcrossTenants(t, id, 'Why not.'));
    const declare = (status: 'approved' | 'rejected') =>
      catalog.putOnboarding(dataSource.manager, organizationId, {
        name: 'india',
        country: 'IN',
        status,
        dltEntityId: null,
      });
    expect(await declare('rejected')).toMatchObject({ id, status: 'rejected', rejectionReason: 'Why not.' });
    expect(await declare('approved')).toMatchObject({ id, status: 'approved', rejectionReason: null });
  });

  it('sets rates, which are listed by country', async () => {
    await catalog.putRate(dataSource.manager, 'IN', 2);
    await catalog.putRate(dataSource.manager, 'DE', 5);
    await catalog.putRate(dataSource.manager, 'DE', 3);
    expect(await catalog.listRates(dataSource.manager)).toEqual([
      { country: 'DE', rate: 3 },
      { country: 'IN', rate: 2 },
    ]);
  });
});
