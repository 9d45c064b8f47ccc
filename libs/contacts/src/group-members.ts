import { clientOf } from '@heliograph/database';
import type { Pool, PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';

/** Returns the ids that are not contacts of the organization. */
export async function unknownContacts(
  transaction: EntityManager,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  return unknownIds(transaction, 'contacts.contacts', organizationId, ids);
}

/** Returns the ids that are not groups of the organization. */
export async function unknownGroups(
  transaction: EntityManager,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  return unknownIds(transaction, 'contacts.groups', organizationId, ids);
}

/**
 * Adds contacts to groups; ignores existing memberships. The ids must belong to the same organization. Returns the ids
 * of the contacts that were added.
 */
export async function addMembers(
  transaction: EntityManager,
  groupIds: readonly string[],
  contactIds: readonly string[],
): Promise<string[]> {
  const client = await clientOf(transaction);
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO contacts.memberships (group_id, contact_id)
     SELECT g, c FROM unnest($1::uuid[]) AS g CROSS JOIN unnest($2::uuid[]) AS c ON CONFLICT DO NOTHING
     RETURNING contact_id AS id`,
    [groupIds, contactIds],
  );
  return rows.map(({ id }) => id);
}

/** Makes a contact a member of exactly these groups, which must belong to its organization. */
export async function setGroups(
  transaction: EntityManager,
  contactId: string,
  groupIds: readonly string[],
): Promise<void> {
  const client = await clientOf(transaction);
  await client.query('DELETE FROM contacts.memberships WHERE contact_id = $1 AND group_id <> ALL ($2::uuid[])', [
    contactId,
    groupIds,
  ]);
  await addMembers(transaction, groupIds, [contactId]);
}

/** Returns the ids of the contacts that were removed. */
export async function removeMembers(
  transaction: EntityManager,
  groupId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  const client = await clientOf(transaction);
  const { rows } = await client.query<{ id: string }>(
    'DELETE FROM contacts.memberships WHERE group_id = $1 AND contact_id = ANY ($2) RETURNING contact_id AS id',
    [groupId, contactIds],
  );
  return rows.map(({ id }) => id);
}

/** The number of contacts of each group. */
export async function memberCounts(
  database: Pool | PoolClient,
  groupIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await database.query<{ id: string; count: number }>(
    `SELECT group_id AS id, count(*)::int AS count FROM contacts.memberships WHERE group_id = ANY ($1) GROUP BY group_id`,
    [groupIds],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

async function unknownIds(
  transaction: EntityManager,
  table: string,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const client = await clientOf(transaction);
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM unnest($2::uuid[]) AS id
     WHERE id NOT IN (SELECT o.id FROM ${table} AS o WHERE o.organization_id = $1 AND o.id = ANY ($2))`,
    [organizationId, ids],
  );
  return rows.map(({ id }) => id);
}
