import { createDataSource, databaseConfigSchema, newId, poolOf } from '@heliograph/database';
import { messagingMigrations } from '@heliograph/messaging';
import { createTestDatabase, schemaDifferences, undoMigrations, type TestDatabase } from '@heliograph/testing';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { applyConsent, listConsents } from './consents';
import type { Consent, ContactChanges, ContactData } from './contact';
import { readContactField } from './contact-fields';
import { listContacts } from './contact-list';
import { ContactsService } from './contacts.service';
import { contactsEntities, contactsMigrations } from './migration-set';

const MIGRATIONS = [messagingMigrations, contactsMigrations];
const EMAIL = 'ann@example.com';
const PHONE = '+919811111111';

describe('contacts', () => {
  const contacts = new ContactsService();
  let database: TestDatabase;
  let dataSource: DataSource;
  let pool: Pool;
  let organizationId: string;
  beforeAll(async () => {
    database = await createTestDatabase(MIGRATIONS);
    const settings = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 8 });
    dataSource = await createDataSource(settings, 'contacts', contactsEntities).initialize();
    pool = poolOf(dataSource);
  });
  beforeEach(() => {
    organizationId = newId();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const evidence = (source: string, occurredAt = new Date()) => ({ source, text: null, occurredAt });
  const create = (changes: ContactChanges) =>
    dataSource.transaction((t) => contacts.create(t, organizationId, changes, evidence('api')));
  const fill = async (data: Partial<ContactData>) => {
    const empty = { email: null, phone: null, firstName: null, lastName: null };
    const all = { ...empty, language: null, country: null, timeZone: null, ...data };
    return (await dataSource.transaction((t) => contacts.fill(t, organizationId, all, evidence('bot')))).after;
  };
  const consentOf = async (id: string) => (await contacts.find(pool, organizationId, id))?.consent.email;
  const apply = (status: Consent, source: string, at: string) =>
    applyConsent(
      pool,
      { organizationId, channel: 'email', address: EMAIL.toUpperCase(), status },
      evidence(source, new Date(at)),
    );

  it('have tables that match their entities and can be reverted', async () => {
    expect(await schemaDifferences(database.url, contactsEntities)).toEqual([]);
    const empty = await createTestDatabase([]);
    expect(await undoMigrations(empty.url, MIGRATIONS)).toEqual([]);
    await empty.drop();
  });

  it('receive consents in chronological order, each once', async () => {
    const { id } = await create({ email: EMAIL });
    await apply('opted_out', 'unsubscribe', '2026-01-02T00:00:00Z');
    await apply('opted_out', 'unsubscribe', '2026-01-02T00:00:00Z');
    expect(await consentOf(id)).toBe('opted_out');
    await apply('opted_in', 'form', '2026-01-01T00:00:00Z');
    expect(await consentOf(id)).toBe('opted_out');
    await apply('opted_in', 'form', '2026-01-03T00:00:00Z');
    expect(await consentOf(id)).toBe('opted_in');
    const stored = await listConsents(pool, id, { limit: 10, after: null });
    expect(stored.map(({ status, source }) => `${status} ${source}`)).toEqual([
      'opted_in form',
      'opted_in form',
      'opted_out unsubscribe',
    ]);
    await applyConsent(
      pool,
      { organizationId: newId(), channel: 'email', address: EMAIL, status: 'opted_out' },
      evidence('unsubscribe'),
    );
    expect(await consentOf(id)).toBe('opted_in');
  });

  it('of unverified persons only fill empty fields', async () => {
    const made = await fill({ email: EMAIL, firstName: 'Ann' });
    expect(made).toMatchObject({ email: EMAIL, firstName: 'Ann', source: 'bot' });
    const other = await create({ phone: PHONE });
    const again = await fill({ email: EMAIL.toUpperCase(), phone: PHONE, firstName: 'Eve', lastName: 'Smith' });
    expect(again).toMatchObject({ id: made.id, email: EMAIL, firstName: 'Ann', lastName: 'Smith', phone: null });
    expect(await fill({ phone: PHONE, firstName: 'Bob' })).toMatchObject({ id: other.id, firstName: 'Bob' });
    expect(await fill({ email: 'bob@example.com', phone: PHONE })).toMatchObject({
      id: other.id,
      email: 'bob@example.com',
    });
  });

  it('are searched with indexes', async () => {
    await pool.query(
      `INSERT INTO contacts.contacts (id, organization_id, email, phone, first_name, last_name, source)
       SELECT gen_random_uuid(), $1, 'user' || n || '@example.com', '+9198' || (10000000 + n), 'First' || n, 'Last' || n, 'api'
       FROM generate_series(1, 20000) AS n`,
      [organizationId],
    );
    await pool.query('ANALYZE contacts.contacts');
    const explained = await pool.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT c.id FROM contacts.contacts AS c WHERE c.organization_id = '${organizationId}'
       AND lower(c.last_name) LIKE 'last1999%' LIMIT 5000`,
    );
    expect(explained.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('contacts_last_name');
    const page = { limit: 5, after: null };
    const found = await listContacts(pool, organizationId, { search: 'LAST1999' }, 'created_at', page);
    expect(found.items).toHaveLength(5);
    // There are more matches than are collected.
    const all = await listContacts(pool, organizationId, { search: 'user' }, '-created_at', page);
    expect(all.items).toHaveLength(5);
  });

  it.each([
    ['email', ' Ann@EXAMPLE.com ', 'Ann@example.com'],
    ['email', 'a b@example.com', null],
    ['phone', '919811111111', PHONE],
    ['phone', '+91 98111 11111', null],
    ['language', 'pt-br', 'pt-BR'],
    ['language', 'x', null],
    ['country', 'in', 'IN'],
    ['country', 'ZZ', null],
    ['timeZone', 'UTC', 'UTC'],
    ['timeZone', 'Asia/Kolkata', 'Asia/Kolkata'],
    ['timeZone', 'Asia/Nowhere', null],
    ['firstName', '  ', null],
    ['firstName', 'a'.repeat(201), null],
  ] as const)('have the %s of %j stored as %j', (field, text, stored) => {
    expect(readContactField(field, text)).toBe(stored);
  });
});
