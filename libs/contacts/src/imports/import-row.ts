import { readTypedNumber } from '@heliograph/addresses';
import { isStorableText } from '@heliograph/service-kit';
import type { AttributeValue, ContactData } from '../contact';
import { FIELD_RULES, isAttributeName, isAttributeValue, MAX_ATTRIBUTES, readContactField } from '../contact-fields';
import { attributeOf, IMPORT_FIELDS, type ImportOptions } from './import-options';

/** A valid row. */
export interface ImportRow {
  row: number;
  data: Partial<ContactData>;
  attributes: Record<string, AttributeValue>;
}

/** The reason why a row is not imported. It contains no value of the row, which may be personal data. */
export interface ImportError {
  row: number;
  field: string | null;
  message: string;
}

/** One row of a file: values by field, and the number of the row in the file. The header of a CSV file is row 1. */
export interface ImportRecord {
  row: number;
  values: Record<string, unknown>;
  /** Set if a value cannot be read. */
  error?: ImportError;
}

const REPLACEMENT = '\ufffd';

export function readImportRow({ row, values, error }: ImportRecord, options: ImportOptions): ImportRow | ImportError {
  if (error) return error;
  const data: Partial<ContactData> = {};
  const attributes: Record<string, AttributeValue> = {};
  for (const [field, value] of Object.entries(values)) {
    const attribute = attributeOf(field);
    // Checked first: the other errors contain the name.
    if (attribute !== null && !isAttributeName(attribute)) {
      return { row, field: 'attributes', message: 'A name of an attribute is not valid.' };
    }
    const fault = (message: string): ImportError => ({ row, field, message: `${field} ${message}.` });
    if (typeof value === 'string' && value.includes(REPLACEMENT)) return fault('must be valid UTF-8');
    if (attribute !== null) {
      if (value === null) continue;
      if (!isAttributeValue(value)) return fault('must be text of at most 1,000 characters, a number or a boolean');
      attributes[attribute] = value;
      continue;
    }
    const name = IMPORT_FIELDS[field];
    if (!name) return { row, field: null, message: 'The contact must be an object.' };
    const stored = name === 'phone' ? readPhone(value, options) : readContactField(name, value);
    if (stored === null) return fault(FIELD_RULES[name]);
    data[name] = stored;
  }
  if (!data.email && !data.phone) return { row, field: 'email', message: 'The row has neither email nor phone.' };
  if (Object.keys(attributes).length > MAX_ATTRIBUTES) {
    return { row, field: 'attributes', message: `A contact can have at most ${MAX_ATTRIBUTES} attributes.` };
  }
  return { row, data, attributes };
}

/** Numbers in files often have punctuation, and no calling code. */
function readPhone(value: unknown, { default_country: country }: ImportOptions): string | null {
  return isStorableText(value) ? readTypedNumber(value, country?.toUpperCase()) : null;
}
