import { createDataSource, databaseConfigSchema, newId } from '@heliograph/database';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { DataSource, EntityManager } from 'typeorm';
import { CatalogService, type SenderDetails, type TemplateDetails } from './catalog.service';
import { smsCatalogEntities, smsCatalogMigrations } from './migration-set';
import type { Onboarding } from './onboarding.entity';

let database: TestDatabase;
let dataSource: DataSource;
let catalog: CatalogService;
/** A new organization for each test. */
let organizationId: string;

beforeAll(async () => {
  database = await createTestDatabase([smsCatalogMigrations]);
  const settings = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 4 });
  dataSource = await createDataSource(settings, 'catalog spec', smsCatalogEntities).initialize();
  catalog = new CatalogService();
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

const onboarding = (of = organizationId, name = 'india'): Promise<Onboarding> =>
  write((transaction) =>
    catalog.createOnboarding(transaction, of, { name, country: 'IN', dltEntityId: '1101000000000000001' }),
  );
const approvedOnboarding = async () => {
  const { id } = await onboarding();
  return (await write((transaction) => catalog.approveOnboardingAcrossTenants(transaction, id))).after;
};
const sender = (details: Partial<SenderDetails> & { onboardingId: string }, of = organizationId) =>
  write((transaction) =>
    catalog.createSender(transaction, of, { header: 'ACMEIN', dltSenderId: '1105', isActive: true, ...details }),
  );
const template = (details: Partial<TemplateDetails> & { onboardingId: string }, of = organizationId) =>
  write((transaction) =>
    catalog.createTemplate(transaction, of, {
      ...{ name: 'otp', body: 'Your code is {{code}}', dltTemplateId: '1107', isActive: true },
      ...details,
    }),
  );

describe('the schema of the SMS catalog', () => {
  it('matches the entities', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });
});

describe('an onboarding', () => {
  it('is pending after creation and can be read', async () => {
    const made = await onboarding();
    expect(made).toMatchObject({ status: 'pending', submittedAt: expect.any(Date), decidedAt: null });
    expect(made.createdAt).toEqual(made.updatedAt);
    expect(await catalog.onboardingOf(dataSource.manager, organizationId, made.id)).toEqual(made);
  });

  it('has a unique name within its organization', async () => {
    await onboarding();
    await expect(onboarding()).rejects.toEqual(refused('NAME_TAKEN'));
    const other = await onboarding(newId());
    expect(other.name).toBe('india');
    const second = await onboarding(organizationId, 'second');
    const rename = (transaction: EntityManager) =>
      catalog.changeOnboarding(transaction, organizationId, second.id, { name: 'india' });
    await expect(write(rename)).rejects.toEqual(refused('NAME_TAKEN'));
  });

  it('is created once by concurrent calls', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => onboarding()));
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(reasons).toEqual(Array.from({ length: 7 }, () => refused('NAME_TAKEN')));
  });

  it('is approved once, with the entity id that the operator provides', async () => {
    const { id } = await onboarding();
    const approve = () =>
      write((transaction) => catalog.approveOnboardingAcrossTenants(transaction, id, { dltEntityId: '42' }));
    const { before, after } = await approve();
    expect(before).toMatchObject({ status: 'pending', dltEntityId: '1101000000000000001' });
    expect(after).toMatchObject({ status: 'approved', dltEntityId: '42', decidedAt: expect.any(Date) });
    expect(await catalog.onboardingOf(dataSource.manager, organizationId, id)).toEqual(after);
    await expect(approve()).rejects.toEqual(refused('STATE_CONFLICT'));
  });

  it('is rejected with a reason, submitted again and approved', async () => {
    const { id } = await onboarding();
    const reject = () =>
      write((transaction) => catalog.rejectOnboardingAcrossTenants(transaction, id, 'Not in the register.'));
    const resubmit = () => write((transaction) => catalog.resubmitOnboarding(transaction, organizationId, id));
    await expect(resubmit()).rejects.toEqual(refused('STATE_CONFLICT'));
    expect((await reject()).after).toMatchObject({ status: 'rejected', rejectionReason: 'Not in the register.' });
    await expect(reject()).rejects.toEqual(refused('STATE_CONFLICT'));
    expect((await resubmit()).after).toMatchObject({ status: 'pending', rejectionReason: null, decidedAt: null });
    const { after } = await write((transaction) => catalog.approveOnboardingAcrossTenants(transaction, id));
    expect(after).toMatchObject({ status: 'approved', rejectionReason: null });
  });

  it('is decided once by concurrent operators', async () => {
    const { id } = await onboarding();
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () => write((transaction) => catalog.approveOnboardingAcrossTenants(transaction, id))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('remains approved after a new name with the same entity id, but not after a new entity id', async () => {
    const { id, dltEntityId } = await approvedOnboarding();
    const change = (changes: { name?: string; dltEntityId?: string | null }) =>
      write((transaction) => catalog.changeOnboarding(transaction, organizationId, id, changes));
    const renamed = await change({ name: 'renamed', dltEntityId });
    expect(renamed.before.name).toBe('india');
    expect(renamed.after).toMatchObject({ name: 'renamed', status: 'approved', dltEntityId });
    expect(renamed.after.updatedAt.getTime()).toBeGreaterThan(renamed.before.updatedAt.getTime());
    expect((await change({ dltEntityId: null })).after).toMatchObject({ status: 'pending', dltEntityId: null });
  });

  it('is not changed by values that are not part of it', async () => {
    const { id } = await onboarding();
    const smuggled = { name: 'x', status: 'approved', organizationId: newId(), id: newId() };
    const { after } = await write((transaction) => catalog.changeOnboarding(transaction, organizationId, id, smuggled));
    expect(after).toMatchObject({ id, organizationId, name: 'x', status: 'pending' });
  });

  it('is listed in pages and by status, for its organization and for the operator', async () => {
    const made = [await onboarding(), await onboarding(organizationId, 'b'), await onboarding(organizationId, 'c')];
    const ids = made.map(({ id }) => id);
    await write((transaction) => catalog.approveOnboardingAcrossTenants(transaction, ids[1]!));
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

describe('a sender', () => {
  it('is created, updated and read', async () => {
    const { id: onboardingId } = await onboarding();
    const made = await sender({ onboardingId });
    const { before, after } = await write((transaction) =>
      catalog.changeSender(transaction, organizationId, made.id, { isActive: false }),
    );
    expect(before).toEqual(made);
    expect(after).toMatchObject({ header: 'ACMEIN', dltSenderId: '1105', isActive: false });
    expect(await catalog.senderOf(dataSource.manager, organizationId, made.id)).toEqual(after);
  });

  it('has a unique header within its organization', async () => {
    const { id: onboardingId } = await onboarding();
    await sender({ onboardingId });
    await expect(sender({ onboardingId })).rejects.toMatchObject({
      code: 'NAME_TAKEN',
      message: expect.stringContaining('header is already used by another sender'),
    });
    const other = newId();
    expect(await sender({ onboardingId: (await onboarding(other)).id }, other)).toMatchObject({ header: 'ACMEIN' });
  });

  it('is listed by onboarding and active state', async () => {
    const [one, two] = [await onboarding(), await onboarding(organizationId, 'second')];
    await sender({ onboardingId: one.id, header: 'ONE' });
    await sender({ onboardingId: two.id, header: 'TWO' });
    await sender({ onboardingId: two.id, header: 'IDLE', isActive: false });
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
    const { id: onboardingId } = await onboarding();
    const made = await template({ onboardingId });
    const changes = { name: 'code', body: '{{code}}!', dltTemplateId: null, isActive: false };
    const { before, after } = await write((transaction) =>
      catalog.changeTemplate(transaction, organizationId, made.id, changes),
    );
    expect(before).toEqual(made);
    expect(after).toMatchObject({ ...changes, onboardingId });
    expect(await catalog.templateOf(dataSource.manager, organizationId, made.id)).toEqual(after);
  });

  it('has a unique name within its onboarding', async () => {
    const [one, two] = [await onboarding(), await onboarding(organizationId, 'second')];
    await template({ onboardingId: one.id });
    await expect(template({ onboardingId: one.id })).rejects.toEqual(refused('NAME_TAKEN'));
    await template({ onboardingId: two.id });
    const other = await template({ onboardingId: one.id, name: 'other' });
    const rename = (transaction: EntityManager) =>
      catalog.changeTemplate(transaction, organizationId, other.id, { name: 'otp' });
    await expect(write(rename)).rejects.toEqual(refused('NAME_TAKEN'));
  });

  it('is listed by onboarding and active state, in pages', async () => {
    const { id: onboardingId } = await onboarding();
    const made = [];
    for (const name of ['a', 'b', 'c']) made.push(await template({ onboardingId, name, isActive: name !== 'b' }));
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
    const theirs = await onboarding(newId());
    const theirSender = await sender({ onboardingId: theirs.id }, theirs.organizationId);
    const theirTemplate = await template({ onboardingId: theirs.id }, theirs.organizationId);
    const ids = [theirs.id, theirSender.id, theirTemplate.id, newId(), 'nonsense', ''];
    for (const id of ids) {
      await expect(write((transaction) => act(id, transaction, organizationId))).rejects.toEqual(refused('NOT_FOUND'));
    }
  });

  it('cannot be approved or rejected', async () => {
    for (const id of [newId(), 'nonsense']) {
      await expect(write((t) => catalog.approveOnboardingAcrossTenants(t, id))).rejects.toEqual(refused('NOT_FOUND'));
      await expect(write((t) => catalog.rejectOnboardingAcrossTenants(t, id, 'x'))).rejects.toEqual(
        refused('NOT_FOUND'),
      );
    }
  });

  it('is not listed', async () => {
    const theirs = await onboarding(newId());
    await sender({ onboardingId: theirs.id }, theirs.organizationId);
    await template({ onboardingId: theirs.id }, theirs.organizationId);
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
    const { id: onboardingId } = await onboarding();
    const { id: senderId } = await sender({ onboardingId });
    const { id: templateId } = await template({ onboardingId });
    const rows = () => database.query('SELECT * FROM sms.onboardings, sms.senders, sms.templates ORDER BY 1');
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
    for (const each of writes) await expect(write(each)).rejects.toEqual(refused('VALIDATION_ERROR'));
    expect(await rows()).toEqual(before);
  });
});

describe('provisioning', () => {
  it('finds entries by their natural keys and does not change identical entries', async () => {
    const put = async () => {
      const { id: onboardingId } = await catalog.putOnboarding(dataSource.manager, organizationId, {
        ...{ name: 'india', country: 'IN', status: 'approved', dltEntityId: '11' },
      } as const);
      await catalog.putSender(dataSource.manager, organizationId, {
        header: 'ACME',
        onboardingId,
        dltSenderId: null,
        isActive: true,
      });
      await catalog.putTemplate(dataSource.manager, organizationId, {
        ...{ name: 'otp', onboardingId, body: '{{code}}', dltTemplateId: null, isActive: true },
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
    const { id } = await onboarding();
    await write((t) => catalog.rejectOnboardingAcrossTenants(t, id, 'Why not.'));
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
