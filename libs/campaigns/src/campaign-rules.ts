import { CONSENTS, isAttributeName, isAttributeValue, readContactField } from '@heliograph/contacts';
import { isId } from '@heliograph/database';
import { isJsonObject, parseScheduledAt } from '@heliograph/service-kit';

const MAX_GROUPS = 100;
const MAX_CONTACTS = 10_000;
const MAX_ATTRIBUTES = 50;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

type Check = (value: unknown) => boolean;

const isInstant: Check = (value) => typeof value === 'string' && parseScheduledAt(value) !== null;
const idsUpTo =
  (most: number): Check =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every(isId);

const CONDITIONS: Readonly<Record<string, { must: string; isValid: Check }>> = {
  consent: {
    must: `be one of: ${CONSENTS.join(', ')}`,
    isValid: (value) => (CONSENTS as readonly unknown[]).includes(value),
  },
  country: {
    must: 'be an ISO 3166-1 alpha-2 code such as IN',
    isValid: (value) => readContactField('country', value) !== null,
  },
  language: {
    must: 'be a language tag such as en',
    isValid: (value) => readContactField('language', value) !== null,
  },
  created_after: { must: 'be an RFC 3339 timestamp', isValid: isInstant },
  created_before: { must: 'be an RFC 3339 timestamp', isValid: isInstant },
  attributes: {
    must: 'be an object of texts, numbers or booleans by name',
    isValid: (value) =>
      isJsonObject(value) &&
      Object.keys(value).length <= MAX_ATTRIBUTES &&
      Object.entries(value).every(([name, one]) => isAttributeName(name) && isAttributeValue(one)),
  },
};

const PARTS: Readonly<Record<string, { must: string; isValid: Check }>> = {
  group_ids: { must: `be a list of at most ${MAX_GROUPS} ids`, isValid: idsUpTo(MAX_GROUPS) },
  contact_ids: { must: `be a list of at most ${MAX_CONTACTS} ids`, isValid: idsUpTo(MAX_CONTACTS) },
  exclude_group_ids: { must: `be a list of at most ${MAX_GROUPS} ids`, isValid: idsUpTo(MAX_GROUPS) },
};

/** Returns the violated rule of an audience; null if the audience is valid. A null value counts as missing. */
export function audienceFault(audience: unknown): string | null {
  if (!isJsonObject(audience)) return 'audience must be an object with group_ids, contact_ids or filter.';
  for (const [name, { must, isValid }] of Object.entries(PARTS)) {
    const value = audience[name] ?? null;
    if (value !== null && !isValid(value)) return `audience.${name} must ${must}.`;
  }
  const filter = audience['filter'] ?? null;
  if (filter !== null) return filterFault(filter);
  const isNamed = ['group_ids', 'contact_ids'].some((name) => ((audience[name] as unknown[] | null) ?? []).length > 0);
  return isNamed ? null : 'audience must have group_ids, contact_ids or filter.';
}

/** Returns the violated rule of a send window; null if the window is valid. */
export function sendWindowFault(window: unknown): string | null {
  if (!isJsonObject(window)) return 'send_window must be an object with from, until and time_zone.';
  for (const name of ['from', 'until']) {
    const value = window[name];
    if (typeof value !== 'string' || !TIME.test(value)) return `send_window.${name} must be a time such as 09:00.`;
  }
  const zone = window['time_zone'] ?? 'contact';
  const isZone = zone === 'contact' || readContactField('timeZone', zone) !== null;
  return isZone ? null : 'send_window.time_zone must be "contact" or an IANA time zone such as Asia/Kolkata.';
}

function filterFault(filter: unknown): string | null {
  if (!isJsonObject(filter)) return 'audience.filter must be an object.';
  for (const [name, value] of Object.entries(filter)) {
    const condition = Object.hasOwn(CONDITIONS, name) ? CONDITIONS[name] : undefined;
    if (!condition) return `audience.filter.${name} is not a condition. Use: ${Object.keys(CONDITIONS).join(', ')}.`;
    if (value !== null && !condition.isValid(value)) return `audience.filter.${name} must ${condition.must}.`;
  }
  return null;
}
