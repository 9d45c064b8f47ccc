import { Injectable } from '@nestjs/common';
import { clientOf, isId, isUniqueViolation, newId, type Changed } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { fieldError } from '@heliograph/service-kit';
import type { Pool, PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import { recordConsents } from './consents';
import { groupsOfContacts } from './contact-events';
import type { Contact, ContactChanges, ContactData, ConsentEvidence, Consents, GroupName } from './contact';
import { CONTACT_COLUMNS, contactOf, type ContactRow } from './contact-rows';
import { MAX_ATTRIBUTES } from './contact-fields';

type Queryable = Pick<Pool | PoolClient, 'query'>;

const UNKNOWN: Consents = { sms: 'unknown', email: 'unknown', chatapp: 'unknown' };
const EMPTY = { email: null, phone: null, firstName: null, lastName: null, language: null, country: null };
const ONE = `SELECT ${CONTACT_COLUMNS} FROM contacts.contacts AS c WHERE c.organization_id = $1`;

/** Writes and reads contacts. Values must be in their stored form; see `readContactField`. */
@Injectable()
export class ContactsService {
  /** Throws CONTACT_EXISTS, INVALID_REQUEST. */
  async create(
    transaction: EntityManager,
    organizationId: string,
    changes: ContactChanges,
    evidence: ConsentEvidence,
  ): Promise<Contact> {
    const now = new Date();
    const contact: Contact = {
      ...EMPTY,
      timeZone: null,
      id: newId(),
      organizationId,
      attributes: {},
      consent: UNKNOWN,
      source: evidence.source,
      createdAt: now,
      updatedAt: now,
    };
    return this.save(transaction, null, merged(contact, changes), evidence);
  }

  /**
   * Merges the values into the contact with the email address, or else with the phone number, or creates one. Throws
   * CONTACT_EXISTS if both belong to different contacts, and INVALID_REQUEST.
   */
  async upsert(
    transaction: EntityManager,
    organizationId: string,
    changes: ContactChanges,
    evidence: ConsentEvidence,
  ): Promise<{ before: Contact | null; after: Contact }> {
    const client = await clientOf(transaction);
    // Serializes concurrent upserts of an address, so that the second upsert finds the contact that the first one
    // created.
    for (const address of [changes.email?.toLowerCase(), changes.phone].filter(Boolean)) {
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `contacts ${organizationId} ${address}`,
      ]);
    }
    const before = await this.findByAddress(client, organizationId, changes);
    if (!before) return { before, after: await this.create(transaction, organizationId, changes, evidence) };
    const { attributes, consent, ...data } = changes;
    const known = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
    const changed = merged(before, {
      ...known,
      ...(attributes ? { attributes } : {}),
      ...(consent ? { consent } : {}),
    });
    return { before, after: await this.save(transaction, before, changed, evidence) };
  }

  /**
   * Like `upsert`, for unverified data: it only fills empty fields of an existing contact, and ignores a number that
   * belongs to another contact. Writes nothing if there is no empty field to fill.
   */
  async fill(
    transaction: EntityManager,
    organizationId: string,
    data: ContactData,
    evidence: ConsentEvidence,
  ): Promise<{ before: Contact | null; after: Contact }> {
    const client = await clientOf(transaction);
    const known = await this.findByAddress(client, organizationId, data);
    const owner = known && data.phone ? await this.findByAddress(client, organizationId, { phone: data.phone }) : null;
    const claims = owner && owner.id !== known?.id ? { ...data, phone: null } : data;
    const empty = Object.entries(claims).filter(([field]) => !known?.[field as keyof ContactData]);
    if (known && empty.every(([, value]) => value === null)) return { before: known, after: known };
    const identity = { email: known?.email ?? data.email, phone: known?.phone ?? claims.phone };
    const changes = { ...Object.fromEntries(empty), ...identity };
    return this.upsert(transaction, organizationId, changes, evidence);
  }

  /** Throws NOT_FOUND, CONTACT_EXISTS, INVALID_REQUEST. */
  async change(
    transaction: EntityManager,
    organizationId: string,
    id: string,
    changes: ContactChanges,
    evidence: ConsentEvidence,
  ): Promise<Changed<Contact>> {
    const before = await this.locked(transaction, organizationId, id);
    return { before, after: await this.save(transaction, before, merged(before, changes), evidence) };
  }

  /** Deletes the contact with its memberships and consents. Throws NOT_FOUND. */
  async remove(transaction: EntityManager, organizationId: string, id: string): Promise<Contact> {
    const contact = await this.locked(transaction, organizationId, id);
    const client = await clientOf(transaction);
    await client.query('DELETE FROM contacts.contacts WHERE id = $1', [id]);
    return contact;
  }

  /** Null for unknown ids and those of other organizations. */
  async find(database: Queryable, organizationId: string, id: string): Promise<Contact | null> {
    if (!isId(id)) return null;
    const { rows } = await database.query<ContactRow>(`${ONE} AND c.id = $2`, [organizationId, id]);
    return rows[0] ? contactOf(rows[0]) : null;
  }

  /** The contact with the email address, or else with the phone number. */
  async findByAddress(
    database: Queryable,
    organizationId: string,
    { email, phone }: { email?: string | null; phone?: string | null },
  ): Promise<Contact | null> {
    const { rows } = await database.query<ContactRow>(
      `${ONE} AND (lower(c.email) = lower($2) OR c.phone = $3)
       ORDER BY (lower(c.email) = lower($2)) DESC NULLS LAST LIMIT 1 FOR UPDATE`,
      [organizationId, email ?? null, phone ?? null],
    );
    return rows[0] ? contactOf(rows[0]) : null;
  }

  /** The groups of contacts by contact, sorted by name. */
  groupsOf(database: Queryable, contactIds: readonly string[]): Promise<Map<string, GroupName[]>> {
    return groupsOfContacts(database, contactIds);
  }

  private async locked(transaction: EntityManager, organizationId: string, id: string): Promise<Contact> {
    const client = await clientOf(transaction);
    const { rows } = isId(id)
      ? await client.query<ContactRow>(`${ONE} AND c.id = $2 FOR UPDATE`, [organizationId, id])
      : { rows: [] };
    if (rows[0]) return contactOf(rows[0]);
    throw new AppError('NOT_FOUND', 'There is no contact with this id.');
  }

  private async save(
    transaction: EntityManager,
    before: Contact | null,
    after: Contact,
    evidence: ConsentEvidence,
  ): Promise<Contact> {
    if (after.email === null && after.phone === null) {
      throw fieldError('INVALID_REQUEST', 'email', 'A contact needs an email address or a phone number.');
    }
    if (Object.keys(after.attributes).length > MAX_ATTRIBUTES) {
      throw fieldError('INVALID_REQUEST', 'attributes', `A contact can have at most ${MAX_ATTRIBUTES} attributes.`);
    }
    const client = await clientOf(transaction);
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended(k, 0)) FROM unnest($1::text[]) AS k', [
      addressKeys(after),
    ]);
    const exists = before ? await this.findOther(client, after) : null;
    if (exists) throw exists;
    await client.query('SAVEPOINT contact');
    try {
      const { rowCount } = await client.query(before ? UPDATE : INSERT, valuesOf(after));
      if (rowCount === 0) throw (await this.findOther(client, after)) ?? conflict(undefined, 'address');
      await client.query('RELEASE SAVEPOINT contact');
    } catch (error) {
      // Another transaction gave the address to a contact in the meantime.
      if (!isUniqueViolation(error)) throw error;
      await client.query('ROLLBACK TO SAVEPOINT contact');
      throw (await this.findOther(client, after)) ?? conflict(undefined, 'address');
    }
    await recordConsents(client, before?.consent ?? UNKNOWN, after, evidence);
    return after;
  }

  /** The error that another contact has one of the addresses; null if none has. */
  private async findOther(client: PoolClient, { id, organizationId, email, phone }: Contact): Promise<AppError | null> {
    const { rows } = await client.query<{ id: string; same_email: boolean }>(
      `SELECT c.id, lower(c.email) IS NOT DISTINCT FROM lower($2) AND $2 IS NOT NULL AS same_email
       FROM contacts.contacts AS c
       WHERE c.organization_id = $1 AND (lower(c.email) = lower($2::text) OR c.phone = $3) AND c.id <> $4
       ORDER BY 2 DESC LIMIT 1`,
      [organizationId, email, phone, id],
    );
    return rows[0] ? conflict(rows[0].id, rows[0].same_email ? 'email address' : 'phone number') : null;
  }
}

function conflict(contactId: string | undefined, field: string): AppError {
  return new AppError(
    'CONTACT_EXISTS',
    `Another contact has this ${field}. Change that contact, or create with ?upsert=true.`,
    { details: { contactId } },
  );
}

const COLUMNS = [
  'id',
  'organization_id',
  'email',
  'phone',
  'first_name',
  'last_name',
  'language',
  'country',
  'time_zone',
  'attributes',
  'consent_sms',
  'consent_email',
  'consent_chatapp',
  'source',
  'created_at',
  'updated_at',
];
/** Keys of locks by which writes of an address wait for each other, so that a conflict is found before PostgreSQL reports it. */
function addressKeys({ organizationId, email, phone }: Contact): string[] {
  const addresses = [email?.toLowerCase(), phone].filter((address) => address !== null && address !== undefined);
  return addresses.map((address) => `contact ${organizationId} ${address}`).sort();
}

const INSERT = `INSERT INTO contacts.contacts (${COLUMNS.join(', ')})
  VALUES (${COLUMNS.map((_, index) => `$${index + 1}`).join(', ')}) ON CONFLICT DO NOTHING`;
const UPDATE = `UPDATE contacts.contacts SET (${COLUMNS.slice(2).join(', ')})
  = (${COLUMNS.slice(2)
    .map((_, index) => `$${index + 3}`)
    .join(', ')})
  WHERE id = $1 AND organization_id = $2`;

function valuesOf(contact: Contact): unknown[] {
  const { sms, email, chatapp } = contact.consent;
  return [
    contact.id,
    contact.organizationId,
    contact.email,
    contact.phone,
    contact.firstName,
    contact.lastName,
    contact.language,
    contact.country,
    contact.timeZone,
    contact.attributes,
    sms,
    email,
    chatapp,
    contact.source,
    contact.createdAt,
    contact.updatedAt,
  ];
}

function merged(contact: Contact, { attributes = {}, consent = {}, ...data }: ContactChanges): Contact {
  const kept = attributes === null ? {} : contact.attributes;
  const all = Object.entries({ ...kept, ...attributes }).filter(([, value]) => value !== null);
  return {
    ...contact,
    ...data,
    attributes: Object.fromEntries(all) as Contact['attributes'],
    consent: { ...contact.consent, ...consent },
    updatedAt: new Date(),
  };
}
