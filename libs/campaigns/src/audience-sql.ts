import { parseScheduledAt } from '@heliograph/service-kit';
import type { CampaignChannelName, Audience } from './campaign';

/**
 * The condition on a contact `c` of the organization to be in the audience, with its parameters from `$first` on. The
 * values are checked, and unknown ids match nothing.
 */
export function audienceCondition(
  channel: CampaignChannelName,
  { group_ids: groups, contact_ids: contacts, exclude_group_ids: excluded, filter: given }: Audience,
  first: number,
): { condition: string; values: unknown[] } {
  const filter = given ?? {};
  const values: unknown[] = [];
  const value = (one: unknown): string => `$${first - 1 + values.push(one)}`;
  // PostgreSQL does not accept every offset of RFC 3339.
  const instant = (text: string): string => `${value(parseScheduledAt(text)?.timestamp)}::timestamptz`;
  const conditions: string[] = [];
  const member = (ids: string[]): string =>
    `EXISTS (SELECT FROM contacts.memberships AS m WHERE m.contact_id = c.id AND m.group_id = ANY (${value(ids)}::uuid[]))`;
  const included = [
    ...(groups?.length ? [member(groups)] : []),
    ...(contacts?.length ? [`c.id = ANY (${value(contacts)}::uuid[])`] : []),
  ];
  if (included.length > 0) conditions.push(`(${included.join(' OR ')})`);
  if (excluded?.length) conditions.push(`NOT ${member(excluded)}`);
  if (filter.consent) conditions.push(`c.consent_${channel} = ${value(filter.consent)}`);
  if (filter.country) conditions.push(`c.country = ${value(filter.country.toUpperCase())}`);
  if (filter.language) conditions.push(`lower(c.language) = lower(${value(filter.language)})`);
  if (filter.created_after) conditions.push(`c.created_at > ${instant(filter.created_after)}`);
  if (filter.created_before) conditions.push(`c.created_at < ${instant(filter.created_before)}`);
  if (filter.attributes) conditions.push(`c.attributes @> ${value(filter.attributes)}::jsonb`);
  return { condition: conditions.length > 0 ? conditions.join(' AND ') : 'true', values };
}
