import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  addMembers,
  CONTACT_GROUPS,
  ContactGroup,
  memberCounts,
  publishContacts,
  removeMembers,
  unknownContacts,
} from '@heliograph/contacts';
import { changeEntry, clientOf, createEntry, given, readEntry, removeEntry, toPage } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { v1List, pageOf, type V1List } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { LessThan, Repository, type EntityManager } from 'typeorm';
import { AuditedKind, targetOf, UnitOfWork, type Write } from '@heliograph/tenancy';
import type { Caller } from '../../access/caller';
import { V1Group, type V1GroupChanges, type V1GroupRequest, type V1GroupsQuery } from './groups.dto';

const GROUP = new AuditedKind<ContactGroup>('contact.group', targetOf, ({ name, description }) => ({
  name,
  description,
}));

/** Manages groups of contacts; each write is audited. */
@Injectable()
export class ContactGroupsService {
  constructor(
    private readonly pool: Pool,
    @InjectRepository(ContactGroup) private readonly groups: Repository<ContactGroup>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Throws NAME_TAKEN, LIMIT_REACHED. */
  create(write: Write, { organizationId }: Caller, { name, description }: V1GroupRequest): Promise<V1Group> {
    const creates = { organizationId, kind: CONTACT_GROUPS };
    const answer = (group: ContactGroup) => V1Group.of(group, 0);
    return this.unitOfWork.change(write, { kind: GROUP, done: 'created', creates, answer }, async (transaction) => {
      const now = new Date();
      const values = { organizationId, name, description: description ?? null, createdAt: now, updatedAt: now };
      return { after: await createEntry(transaction, ContactGroup, values) };
    });
  }

  /** Returns groups sorted by creation time, newest first. */
  async list({ organizationId }: Caller, query: V1GroupsQuery): Promise<V1List<V1Group>> {
    const page = pageOf(query);
    const rows = await this.groups.find({
      where: { organizationId, ...(page.after === null ? {} : { id: LessThan(page.after) }) },
      order: { id: 'DESC' },
      take: page.limit + 1,
    });
    const found = toPage(rows, page, ({ id }) => id);
    const counts = await this.countsOf(found.items);
    return v1List(found, (group) => V1Group.of(group, counts.get(group.id) ?? 0));
  }

  /** Throws NOT_FOUND. */
  async get({ organizationId }: Caller, id: string): Promise<V1Group> {
    return this.recordOf(await readEntry(this.groups.manager, ContactGroup, { organizationId, id }));
  }

  /** Throws NOT_FOUND, NAME_TAKEN. */
  async change(write: Write, { organizationId }: Caller, id: string, request: V1GroupChanges): Promise<V1Group> {
    const { name, description } = request;
    const group = await this.unitOfWork.run(write, async ({ transaction, auditChange }) => {
      const changed = await changeEntry(transaction, ContactGroup, { organizationId, id }, () => ({
        ...given({ name: name ?? undefined, description }),
        updatedAt: new Date(),
      }));
      await auditChange(GROUP, 'updated', changed);
      return changed.after;
    });
    return this.recordOf(group);
  }

  /** Deletes the group. Its contacts are retained. Throws NOT_FOUND. */
  async remove(write: Write, { organizationId }: Caller, id: string): Promise<void> {
    await this.unitOfWork.run(write, async ({ transaction, auditChange }) => {
      const before = await removeEntry(transaction, ContactGroup, { organizationId, id });
      await auditChange(GROUP, 'deleted', { before });
      return {};
    });
  }

  /** Throws NOT_FOUND for an unknown group, INVALID_REQUEST for unknown contacts. */
  addContacts(write: Write, caller: Caller, id: string, contactIds: string[]): Promise<V1Group> {
    return this.changeMembers(write, caller, id, contactIds, 'contacts_added', async (transaction, group) => {
      const unknown = await unknownContacts(transaction, group.organizationId, contactIds);
      if (unknown.length > 0) throw unknownIds(contactIds, unknown);
      return addMembers(transaction, [group.id], contactIds);
    });
  }

  /** Contacts that are not in the group are ignored. Throws NOT_FOUND. */
  removeContacts(write: Write, caller: Caller, id: string, contactIds: string[]): Promise<V1Group> {
    return this.changeMembers(write, caller, id, contactIds, 'contacts_removed', (transaction, group) =>
      removeMembers(transaction, group.id, contactIds),
    );
  }

  private async changeMembers(
    write: Write,
    { organizationId }: Caller,
    id: string,
    contactIds: string[],
    done: string,
    change: (transaction: EntityManager, group: ContactGroup) => Promise<string[]>,
  ): Promise<V1Group> {
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const found = await readEntry(transaction, ContactGroup, { organizationId, id }, { mode: 'pessimistic_read' });
      const changed = await change(transaction, found);
      const { requestId } = write.actor;
      const client = await clientOf(transaction);
      await publishContacts(client, organizationId, 'updated', changed, requestId);
      await audit({
        organizationId,
        action: `contact.group.${done}`,
        target: { type: 'contact.group', id },
        before: null,
        after: { contactIds },
      });
      return V1Group.of(found, (await memberCounts(client, [found.id])).get(found.id) ?? 0);
    });
  }

  private async recordOf(group: ContactGroup): Promise<V1Group> {
    return V1Group.of(group, (await this.countsOf([group])).get(group.id) ?? 0);
  }

  private countsOf(groups: readonly ContactGroup[]): Promise<Map<string, number>> {
    return memberCounts(
      this.pool,
      groups.map(({ id }) => id),
    );
  }
}

function unknownIds(given: readonly string[], unknown: readonly string[]): AppError {
  const fields = unknown.slice(0, 100).map((id) => {
    const field = `contact_ids[${given.findIndex((one) => one.toLowerCase() === id)}]`;
    return { field, message: `${field}: the contact ${id} does not exist.` };
  });
  return new AppError(
    'INVALID_REQUEST',
    fields[0]?.message ?? 'contact_ids contains ids of contacts that do not exist. Remove these ids.',
    { details: { fields } },
  );
}
