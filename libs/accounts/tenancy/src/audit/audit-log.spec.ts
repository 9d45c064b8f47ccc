import { createDataSource, databaseConfigSchema, newId } from '@heliograph/database';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { DataSource } from 'typeorm';
import { listWrites, recordWrite, type Actor, type AuditedWrite } from './audit-log';
import { auditEntities, auditMigrations } from './migration-set';

const PAGE = { limit: 20, after: null };

describe('the audit log', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase([auditMigrations]);
    const settings = databaseConfigSchema.parse({ DATABASE_URL: database.url });
    dataSource = await createDataSource(settings, 'audit test', auditEntities).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const actor: Actor = {
    kind: 'user',
    id: newId(),
    name: 'ann@example.com',
    ipAddress: '198.51.100.1',
    userAgent: 'browser',
    requestId: 'r-1',
  };
  const record = (organizationId: string | null, write: Partial<AuditedWrite> = {}, by: Partial<Actor> = {}) =>
    dataSource.transaction((transaction) =>
      recordWrite(
        transaction,
        { ...actor, ...by },
        {
          organizationId,
          action: 'thing.made',
          target: { type: 'thing', id: '1' },
          before: null,
          after: null,
          ...write,
        },
      ),
    );
  const list = async (organizationId: string, filter: Parameters<typeof listWrites>[2] = {}) =>
    (await listWrites(dataSource.manager, organizationId, filter, PAGE)).items;

  it('stores who changed what, when and from where', async () => {
    const organizationId = newId();
    const workspaceId = newId();
    const before = Date.now();
    await record(organizationId, { workspaceId, after: { name: 'x' } });
    const [entry] = await list(organizationId);
    expect(entry).toMatchObject({
      organizationId,
      workspaceId,
      actorKind: 'user',
      actorId: actor.id,
      actorName: 'ann@example.com',
      action: 'thing.made',
      targetType: 'thing',
      targetId: '1',
      before: null,
      after: { name: 'x' },
      ipAddress: '198.51.100.1',
      userAgent: 'browser',
      requestId: 'r-1',
    });
    expect(entry!.createdAt.getTime()).toBeGreaterThanOrEqual(before);
  });

  it('stores only the changed fields, before and after', async () => {
    const organizationId = newId();
    await record(organizationId, {
      before: { name: 'x', kept: 1, list: ['a'], gone: true, same: { deep: [1] } },
      after: { name: 'y', kept: 1, list: ['a', 'b'], come: null, same: { deep: [1] } },
    });
    const [entry] = await list(organizationId);
    expect(entry!.before).toEqual({ name: 'x', list: ['a'], gone: true, come: null });
    expect(entry!.after).toEqual({ name: 'y', list: ['a', 'b'], gone: null, come: null });
  });

  it('is written in the transaction of the change', async () => {
    const organizationId = newId();
    const undone = dataSource.transaction(async (transaction) => {
      const target = { type: 'thing', id: '1' };
      await recordWrite(transaction, actor, { organizationId, action: 'x', target, before: null, after: null });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await list(organizationId)).toEqual([]);
  });

  it('limits the length of texts of the caller, and stores null for an unpaired surrogate', async () => {
    const organizationId = newId();
    await record(organizationId, {}, { userAgent: `${'x'.repeat(499)}😀${'y'.repeat(10_000)}` });
    const [entry] = await list(organizationId);
    expect(entry!.userAgent).toBe(`${'x'.repeat(499)}\ufffd`);
  });

  it('returns only the entries of its own organization, and entries without an organization to no organization', async () => {
    const one = newId();
    const other = newId();
    await record(one, { action: 'one.made' });
    await record(other, { action: 'other.made' });
    await record(null, { action: 'platform.made' });
    expect((await list(one)).map(({ action }) => action)).toEqual(['one.made']);
    expect(await list(newId())).toEqual([]);
  });

  it('is filtered by each field, by all of them, and by an inclusive time range', async () => {
    const organizationId = newId();
    await record(organizationId, { action: 'a.made', target: { type: 'a', id: '1' } });
    await record(organizationId, { action: 'b.made', target: { type: 'b', id: '2' } }, { id: newId() });
    const [b, a] = await list(organizationId);
    const actions = async (filter: Parameters<typeof list>[1]) =>
      (await list(organizationId, filter)).map(({ action }) => action);
    expect(await actions({ action: 'a.made' })).toEqual(['a.made']);
    expect(await actions({ actorId: actor.id ?? '' })).toEqual(['a.made']);
    expect(await actions({ targetId: '2' })).toEqual(['b.made']);
    expect(await actions({ action: 'a.made', targetId: '2' })).toEqual([]);
    expect(await actions({ from: a!.createdAt, to: b!.createdAt })).toEqual(['b.made', 'a.made']);
    expect(await actions({ from: new Date(b!.createdAt.getTime() + 1) })).toEqual([]);
    expect(await actions({ to: new Date(a!.createdAt.getTime() - 1) })).toEqual([]);
  });

  it('is paginated, newest first', async () => {
    const organizationId = newId();
    for (const id of ['1', '2', '3']) await record(organizationId, { target: { type: 'thing', id } });
    const page = (after: string | null) => listWrites(dataSource.manager, organizationId, {}, { limit: 2, after });
    const first = await page(null);
    const second = await page(first.next);
    expect([first, second].map(({ items }) => items.map(({ targetId }) => targetId))).toEqual([['3', '2'], ['1']]);
    expect(second.next).toBeNull();
  });
});
