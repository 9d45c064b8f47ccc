import { Inject, Injectable } from '@nestjs/common';
import {
  addMembers,
  CONSENT_CHANNELS,
  CONTACTS,
  ContactsService as ContactRecords,
  listConsents,
  listContacts,
  publishContactRecords,
  readContactField,
  setGroups,
  unknownGroups,
  type ConsentEvidence,
  type Contact,
  type ContactChange,
  type ContactFilter,
} from '@heliograph/contacts';
import { clientOf, toPage } from '@heliograph/database';
import { addressKey } from '@heliograph/addresses';
import {
  OrganizationQuota,
  Erasures,
  type BlockedChannel,
  type PersonAddressKind,
  AuditedKind,
  targetOf,
  UnitOfWork,
  type Write,
} from '@heliograph/tenancy';
import {
  CONFIG,
  fieldError,
  parseScheduledAt,
  v1List,
  v1NotFound,
  pageOf,
  pageSizeOf,
  type V1List,
  type V1ListQuery,
} from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../access/caller';
import type { AccountApiConfig } from '../../account-api.config';
import {
  changesOf,
  readContactCursor,
  V1ConsentRecord,
  V1Contact,
  type V1ContactRequest,
  type V1ContactsQuery,
} from './contacts.dto';

/** Only these fields are audited, because the audit log must not contain names, addresses and attributes of contacts. */
const CONTACT = new AuditedKind<Contact>('contact', targetOf, ({ source, consent, language, country }) => ({
  source,
  consent,
  language,
  country,
}));
const DEFAULT_SORT = '-created_at';

/** Manages the contacts of an organization; each write is audited. */
@Injectable()
export class ContactsService {
  private readonly quota: OrganizationQuota;

  constructor(
    private readonly pool: Pool,
    private readonly contacts: ContactRecords,
    private readonly erasures: Erasures,
    private readonly unitOfWork: UnitOfWork,
    @Inject(CONFIG) { LIMITS_CONTACTS }: AccountApiConfig,
  ) {
    this.quota = new OrganizationQuota(pool, CONTACTS, LIMITS_CONTACTS);
  }

  /**
   * Creates a contact or, with `upsert`, updates an existing contact. `answer` returns the response, which is stored for
   * repeated calls. Throws CONTACT_EXISTS, INVALID_REQUEST, LIMIT_REACHED.
   */
  create<Answer extends object>(
    write: Write,
    { organizationId }: Caller,
    request: V1ContactRequest,
    upsert: boolean,
    answer: (contact: V1Contact, isNew: boolean) => Answer,
  ): Promise<Answer> {
    return this.unitOfWork.once(write, async () => {
      if (!request.email && !request.phone)
        throw fieldError('INVALID_REQUEST', 'email', 'Send email, phone or both, because a contact needs an address.');
      await this.quota.reserve(organizationId);
      const changes = changesOf(request);
      const evidence = evidenceOf(request);
      const groupIds = request.group_ids ?? [];
      return this.unitOfWork.run(write, async ({ transaction, auditChange }) => {
        const { before, after } = upsert
          ? await this.contacts.upsert(transaction, organizationId, changes, evidence)
          : { before: null, after: await this.contacts.create(transaction, organizationId, changes, evidence) };
        await assertGroups(transaction, organizationId, groupIds);
        await addMembers(transaction, groupIds, [after.id]);
        await this.unblock(transaction, after, request);
        await auditChange(CONTACT, before ? 'updated' : 'created', { ...(before ? { before } : {}), after });
        const contact = await this.publishRecord(write, transaction, before ? 'updated' : 'created', after);
        return answer(contact, before === null);
      });
    });
  }

  /** Throws NOT_FOUND, CONTACT_EXISTS, INVALID_REQUEST. */
  change(write: Write, { organizationId }: Caller, id: string, request: V1ContactRequest): Promise<V1Contact> {
    return this.unitOfWork.run(write, async ({ transaction, auditChange }) => {
      const evidence = evidenceOf(request);
      const changed = await this.contacts.change(transaction, organizationId, id, changesOf(request), evidence);
      const { group_ids: groupIds } = request;
      if (groupIds !== undefined) {
        await assertGroups(transaction, organizationId, groupIds ?? []);
        await setGroups(transaction, id, groupIds ?? []);
      }
      await this.unblock(transaction, changed.after, request);
      await auditChange(CONTACT, 'updated', changed);
      return this.publishRecord(write, transaction, 'updated', changed.after);
    });
  }

  /**
   * Deletes the contact and erases the person from all other data of the organization. Throws NOT_FOUND, and
   * SERVICE_UNAVAILABLE without PERSON_HASH_KEYS.
   */
  async erase(write: Write, { organizationId }: Caller, id: string): Promise<void> {
    await this.unitOfWork.run(write, async ({ transaction, auditChange }) => {
      const contact = await this.contacts.find(await clientOf(transaction), organizationId, id);
      if (contact) await this.publishRecord(write, transaction, 'deleted', contact);
      const before = await this.contacts.remove(transaction, organizationId, id);
      const { requestId } = write.actor;
      for (const [kind, value] of [
        ['email', before.email && addressKey(before.email)],
        ['phone', before.phone],
      ] as const) {
        if (!value) continue;
        const optedOut = channelsOf(kind).filter((channel) => before.consent[channel] === 'opted_out');
        await this.erasures.request(transaction, organizationId, { kind, value }, requestId, optedOut);
      }
      await auditChange(CONTACT, 'erased', { before });
      return {};
    });
  }

  /** Throws NOT_FOUND. */
  async get({ organizationId }: Caller, id: string): Promise<V1Contact> {
    const contact = await this.contacts.find(this.pool, organizationId, id);
    if (!contact) throw v1NotFound('contact');
    return this.recordOf(contact);
  }

  async list({ organizationId }: Caller, query: V1ContactsQuery): Promise<V1List<V1Contact>> {
    const sort = query.sort ?? DEFAULT_SORT;
    const page = { limit: pageSizeOf(query.limit), after: readContactCursor(query.cursor, sort) };
    const found = await listContacts(this.pool, organizationId, filterOf(query), sort, page);
    const groups = await this.contacts.groupsOf(
      this.pool,
      found.items.map(({ id }) => id),
    );
    return v1List(found, (contact) => V1Contact.of(contact, groups.get(contact.id) ?? []));
  }

  /** Throws NOT_FOUND. */
  async consents({ organizationId }: Caller, id: string, query: V1ListQuery): Promise<V1List<V1ConsentRecord>> {
    const contact = await this.contacts.find(this.pool, organizationId, id);
    if (!contact) throw v1NotFound('contact');
    const page = pageOf(query);
    const rows = await listConsents(this.pool, contact.id, page);
    return v1List(
      toPage(rows, page, (row) => row.id),
      V1ConsentRecord.of,
    );
  }

  /** A new opt-in, whose evidence is stored with the contact, ends the opt-out that remained of an erased person. */
  private async unblock(
    transaction: EntityManager,
    { organizationId, email, phone }: Contact,
    { consent }: V1ContactRequest,
  ): Promise<void> {
    for (const [kind, value] of [
      ['email', email && addressKey(email)],
      ['phone', phone],
    ] as const) {
      if (!value) continue;
      for (const channel of channelsOf(kind)) {
        if (consent?.[channel] !== 'opted_in') continue;
        await this.erasures.unblock(transaction, organizationId, { kind, value }, channel);
      }
    }
  }

  /** Publishes an event with the record, and returns the record. */
  private async publishRecord(
    { actor }: Write,
    transaction: EntityManager,
    change: ContactChange,
    contact: Contact,
  ): Promise<V1Contact> {
    const client = await clientOf(transaction);
    await publishContactRecords(client, change, [contact], actor.requestId);
    return this.recordOf(contact, client);
  }

  private async recordOf(contact: Contact, database: Pick<Pool, 'query'> = this.pool): Promise<V1Contact> {
    const groups = await this.contacts.groupsOf(database as Pool, [contact.id]);
    return V1Contact.of(contact, groups.get(contact.id) ?? []);
  }
}

function channelsOf(kind: PersonAddressKind): BlockedChannel[] {
  return kind === 'email' ? ['email'] : ['sms', 'chatapp'];
}

function evidenceOf({ consent_text: text = null }: V1ContactRequest): ConsentEvidence {
  return { source: 'api', text, occurredAt: new Date() };
}

/** Throws INVALID_REQUEST. */
async function assertGroups(
  transaction: EntityManager,
  organizationId: string,
  groupIds: readonly string[],
): Promise<void> {
  const [unknown] = groupIds.length > 0 ? await unknownGroups(transaction, organizationId, groupIds) : [];
  if (unknown) throw fieldError('INVALID_REQUEST', 'group_ids', `group_ids: the group ${unknown} does not exist.`);
}

function filterOf(query: V1ContactsQuery): ContactFilter {
  const consent = CONSENT_CHANNELS.flatMap((channel) => {
    const status = query[`consent[${channel}]`];
    return status === undefined ? [] : [[channel, status] as const];
  });
  return {
    search: query.search?.trim(),
    groupId: query.group_id,
    email: query.email === undefined ? undefined : (readContactField('email', query.email) ?? query.email),
    phone: query.phone === undefined ? undefined : (readContactField('phone', query.phone) ?? undefined),
    consent: Object.fromEntries(consent),
    createdAfter: query.created_after === undefined ? undefined : parseScheduledAt(query.created_after)?.date,
  };
}
