import { isStorableText } from '@heliograph/service-kit';
import type { Consents, ContactData } from '../contact';
import { isAttributeName } from '../contact-fields';

export const ON_CONFLICT = ['update', 'skip'] as const;
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

/** The attribute name of an import field; null for a field of the contact itself. */
export function attributeOf(field: string): string | null {
  return field.startsWith(ATTRIBUTE) ? field.slice(ATTRIBUTE.length) : null;
}

export function attributeField(name: string): string {
  return `${ATTRIBUTE}${name}`;
}

/** Whether a value is the name of a field that a column can fill. */
export function isImportField(field: unknown): boolean {
  if (!isStorableText(field)) return false;
  const attribute = attributeOf(field);
  return attribute === null ? Object.hasOwn(IMPORT_FIELDS, field) : isAttributeName(attribute);
}
