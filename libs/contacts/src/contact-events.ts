import { contactCreated, contactDeleted, contactUpdated } from '@heliograph/contracts';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import type { Pool, PoolClient } from 'pg';
import type { Contact, GroupName } from './contact';
import { contactRecordOf } from './contact-record';
import { CONTACT_COLUMNS, contactOf, type ContactRow } from './contact-rows';

const CONTRACTS = { created: contactCreated, updated: contactUpdated, deleted: contactDeleted };

export type ContactChange = keyof typeof CONTRACTS;

/**
 * Publishes the change of contacts with their v1 records, in the transaction of the change. Contacts are deleted after their
 * deletion is published. Ids of other organizations are ignored.
 */
export async function publishContacts(
  client: PoolClient,
  organizationId: string,
  change: ContactChange,
  contactIds: readonly string[],
  correlationId: string | null,
): Promise<void> {
  if (contactIds.length === 0) return;
  const { rows } = await client.query<ContactRow>(
    `SELECT ${CONTACT_COLUMNS} FROM contacts.contacts AS c WHERE c.organization_id = $1 AND c.id = ANY ($2) ORDER BY c.id`,
    [organizationId, contactIds],
  );
  await publishContactRecords(client, change, rows.map(contactOf), correlationId);
}

/** Like `publishContacts`, for contacts that the caller has read. */
export async function publishContactRecords(
  client: PoolClient,
  change: ContactChange,
  contacts: readonly Contact[],
  correlationId: string | null,
): Promise<void> {
  const groups = await groupsOfContacts(
    client,
    contacts.map(({ id }) => id),
  );
  const events = contacts.map((contact) => {
    const { id: contactId, organizationId } = contact;
    const data = { contactId, contact: { ...contactRecordOf(contact, groups.get(contactId) ?? []) } };
    return composeEvent(CONTRACTS[change], { organizationId, workspaceId: null, correlationId, data });
  });
  await addToOutbox(client, events);
}

/** The groups of contacts by contact, sorted by name. */
export async function groupsOfContacts(
  database: Pick<Pool | PoolClient, 'query'>,
  contactIds: readonly string[],
): Promise<Map<string, GroupName[]>> {
  const { rows } = await database.query<GroupName & { contact_id: string }>(
    `SELECT m.contact_id, g.id, g.name FROM contacts.memberships AS m JOIN contacts.groups AS g ON g.id = m.group_id
     WHERE m.contact_id = ANY ($1) ORDER BY g.name, g.id`,
    [contactIds],
  );
  const groups = new Map<string, GroupName[]>();
  for (const { contact_id: contactId, id, name } of rows) {
    const known = groups.get(contactId);
    if (known) known.push({ id, name });
    else groups.set(contactId, [{ id, name }]);
  }
  return groups;
}
