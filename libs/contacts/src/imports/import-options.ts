import { isCountryCode } from '@heliograph/addresses';
import { isId } from '@heliograph/database';
import { isJsonObject, isStorableText, nearestName, toStorableText } from '@heliograph/service-kit';
import { CONSENT_CHANNELS, CONSENTS, type ContactData, type Consents } from '../contact';
import { isAttributeName } from '../contact-fields';

const MAX_GROUPS = 100;
const MAX_COLUMNS = 200;
const MAX_NAME_LENGTH = 200;
const ON_CONFLICT = ['update', 'skip'] as const;
const ATTRIBUTE = 'attributes.';

/** The fields of the API that a column can fill, and the fields of a contact. */
export const IMPORT_FIELDS: Readonly<Record<string, keyof ContactData>> = {
  email: 'email',
  phone: 'phone',
  first_name: 'firstName',
  last_name: 'lastName',
  language: 'language',
  country: 'country',
  time_zone: 'timeZone',
};

export interface ImportOptions {
  /** Fields by column: a name of `IMPORT_FIELDS`, or `attributes.` and a name. */
  mapping?: Record<string, string>;
  group_ids?: string[];
  on_conflict?: (typeof ON_CONFLICT)[number];
  consent?: Partial<Consents>;
  /** The country of national numbers. */
  default_country?: string;
}

type Check = [must: string, isValid: (value: unknown) => boolean];

const CHECKS: Readonly<Record<keyof ImportOptions, Check>> = {
  mapping: [
    `map columns to ${Object.keys(IMPORT_FIELDS).join(', ')}, or attributes.NAME`,
    (value) =>
      isJsonObject(value) &&
      Object.keys(value).length <= MAX_COLUMNS &&
      Object.entries(value).every(([column, field]) => isStorableText(column) && isImportField(field)),
  ],
  group_ids: [
    `be a list of at most ${MAX_GROUPS} ids`,
    (value) => Array.isArray(value) && value.length <= MAX_GROUPS && value.every(isId),
  ],
  on_conflict: ['be update or skip', (value) => (ON_CONFLICT as readonly unknown[]).includes(value)],
  consent: [
    `be an object with sms, email or chatapp, each one of: ${CONSENTS.join(', ')}`,
    (value) =>
      isJsonObject(value) &&
      Object.entries(value).every(
        ([channel, status]) =>
          (CONSENT_CHANNELS as readonly string[]).includes(channel) &&
          (CONSENTS as readonly unknown[]).includes(status),
      ),
  ],
  default_country: [
    'be an ISO 3166-1 alpha-2 code such as IN',
    (value) => typeof value === 'string' && isCountryCode(value.toUpperCase()),
  ],
};

/** Validates the options of a request; returns the options or the violated rule. A null value counts as missing. */
export function readImportOptions(given: unknown): { options: ImportOptions } | { field: string; message: string } {
  if (!isJsonObject(given)) return { field: 'options', message: 'options must be a JSON object.' };
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(CHECKS, name));
  if (unknown !== undefined) return unknownOption(unknown);
  const options: Record<string, unknown> = {};
  for (const [name, [must, isValid]] of Object.entries(CHECKS)) {
    const value = Object.hasOwn(given, name) ? (given[name] ?? undefined) : undefined;
    if (value === undefined) continue;
    if (!isValid(value)) return { field: `options.${name}`, message: `options.${name} must ${must}.` };
    options[name] = value;
  }
  return { options };
}

function unknownOption(name: string): { field: string; message: string } {
  const names = Object.keys(CHECKS);
  const field = `options.${toStorableText(name, MAX_NAME_LENGTH)}`;
  const nearest = nearestName(name, names);
  const advice = nearest ? `Did you mean options.${nearest}?` : `The options are ${names.join(', ')}.`;
  return { field, message: `${field} is not a field of this call. ${advice}` };
}

/** The attribute name of an import field; null for a field of the contact itself. */
export function attributeOf(field: string): string | null {
  return field.startsWith(ATTRIBUTE) ? field.slice(ATTRIBUTE.length) : null;
}

export function attributeField(name: string): string {
  return `${ATTRIBUTE}${name}`;
}

function isImportField(field: unknown): boolean {
  if (!isStorableText(field)) return false;
  const attribute = attributeOf(field);
  return attribute === null ? Object.hasOwn(IMPORT_FIELDS, field) : isAttributeName(attribute);
}
