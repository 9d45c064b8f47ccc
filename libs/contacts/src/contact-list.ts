import { toPage, type Page, type PageOf } from '@heliograph/database';
import type { Pool } from 'pg';
import type { Consent, ConsentChannel, Contact } from './contact';
import { CONTACT_COLUMNS, contactOf, type ContactRow } from './contact-rows';

export const CONTACT_SORTS = ['created_at', '-created_at', 'updated_at', '-updated_at'] as const;
export type ContactSort = (typeof CONTACT_SORTS)[number];

/** A contact must match all conditions. */
export interface ContactFilter {
  /** Prefix of the first name, last name, whole name, email address or phone number, in any case. */
  search?: string | undefined;
  groupId?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  consent?: Partial<Record<ConsentChannel, Consent>>;
  createdAfter?: Date | undefined;
}

/** What a search compares, with a prefix pattern. Numbers are stored with a plus, which query strings often lose. */
const SEARCHED: readonly ((pattern: string) => string)[] = [
  (pattern) => `lower(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')) LIKE ${pattern}`,
  (pattern) => `lower(c.last_name) LIKE ${pattern}`,
  (pattern) => `lower(c.email) LIKE ${pattern}`,
  (pattern) => `c.phone LIKE '+' || ltrim(${pattern}, '+')`,
];

const MAX_IDS = 5_000;

/**
 * Returns one page. The cursor of a list by `updated_at` holds the time and the id of the last contact, because contacts
 * change while a caller reads the list.
 */
export async function listContacts(
  pool: Pool,
  organizationId: string,
  filter: ContactFilter,
  sort: ContactSort,
  page: Page,
): Promise<PageOf<Contact>> {
  const values: unknown[] = [organizationId];
  const value = (one: unknown): string => `$${values.push(one)}`;
  const conditions = [...conditionsOf(filter, value)];
  if (filter.search !== undefined) {
    const pattern = `${filter.search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    const ids = await idsWithPrefix(pool, organizationId, pattern);
    conditions.push(ids ? `c.id = ANY (${value(ids)}::uuid[])` : hasPrefix(value(pattern)));
  }
  const [direction, comparison] = sort.startsWith('-') ? ['DESC', '<'] : ['ASC', '>'];
  const byUpdate = sort.endsWith('updated_at');
  if (page.after !== null) {
    const [id = '', at = ''] = page.after.split(' ');
    conditions.push(
      byUpdate
        ? `(c.updated_at, c.id) ${comparison} (${value(at)}::timestamptz, ${value(id)}::uuid)`
        : `c.id ${comparison} ${value(id)}`,
    );
  }
  const order = byUpdate ? `c.updated_at ${direction}, c.id ${direction}` : `c.id ${direction}`;
  const { rows } = await pool.query<ContactRow>(
    `SELECT ${CONTACT_COLUMNS} FROM contacts.contacts AS c
     WHERE ${['c.organization_id = $1', ...conditions].join(' AND ')} ORDER BY ${order} LIMIT ${value(page.limit + 1)}`,
    values,
  );
  return toPage(rows.map(contactOf), page, ({ id, updatedAt }) => (byUpdate ? `${id} ${updatedAt.toISOString()}` : id));
}

/**
 * The contacts that match a prefix; null if there are more than a bitmap should contain. The planner cannot distinguish
 * a rare prefix from a frequent one, and would read all contacts in list order to find a rare one. In list order,
 * contacts with a frequent prefix are found quickly.
 */
async function idsWithPrefix(pool: Pool, organizationId: string, pattern: string): Promise<string[] | null> {
  const queries = SEARCHED.map(
    (condition) =>
      `(SELECT c.id FROM contacts.contacts AS c WHERE c.organization_id = $1 AND ${condition('$2')} LIMIT ${MAX_IDS})`,
  );
  const { rows } = await pool.query<{ id: string }>(queries.join(' UNION ALL '), [organizationId, pattern]);
  return rows.length < MAX_IDS ? rows.map(({ id }) => id) : null;
}

/** The condition of a search in SQL; `text` is an expression of the prefix. */
export function contactHasPrefix(text: string): string {
  return hasPrefix(`regexp_replace(lower(${text}::text), '([\\\\%_])', '\\\\\\1', 'g') || '%'`);
}

function hasPrefix(pattern: string): string {
  return `(${SEARCHED.map((condition) => condition(pattern)).join(' OR ')})`;
}

function* conditionsOf(
  { groupId, email, phone, consent = {}, createdAfter }: ContactFilter,
  value: (one: unknown) => string,
): Generator<string> {
  if (groupId !== undefined) {
    yield `EXISTS (SELECT FROM contacts.memberships AS m WHERE m.group_id = ${value(groupId)} AND m.contact_id = c.id)`;
  }
  if (email !== undefined) yield `lower(c.email) = lower(${value(email)})`;
  if (phone !== undefined) yield `c.phone = ${value(phone)}`;
  for (const [channel, status] of Object.entries(consent)) yield `c.consent_${channel} = ${value(status)}`;
  if (createdAfter !== undefined) yield `c.created_at > ${value(createdAfter)}`;
}
