import { namesByField, otherFields, singleField, type FormFields } from '@heliograph/service-kit';
import { normalizeJson } from '../normalize-json';
import { SendQuery } from './send-request.dto';

const SEND_NAMES = namesByField(SendQuery);
/** The names of each field in query strings and forms: the canonical name, followed by its aliases. */
export const FIELD_NAMES = {
  to: SEND_NAMES.to,
  text: SEND_NAMES.text,
  type: ['type'],
  template: ['template'],
  language: ['language'],
  category: ['category'],
} as const;
const KNOWN_NAMES = Object.values(FIELD_NAMES).flat();

/**
 * Converts a form or a query string to the fields of a JSON body. An empty field counts as absent. Throws a FieldError
 * for a repeated field. Names that are not those of a field or an alias are kept, for the validation.
 */
export function normalizeSendForm(pairs: FormFields): Record<string, unknown> {
  const pick = (field: keyof typeof FIELD_NAMES): string | undefined => {
    const values = FIELD_NAMES[field].map((name) => singleField(name, pairs.get(name)));
    return values.find((value) => value !== undefined && value !== '');
  };
  const name = pick('template');
  const language = pick('language');
  return normalizeJson({
    // Objects such as `media` can only be sent in a JSON body; here, they are fields of the wrong type.
    ...otherFields(pairs, KNOWN_NAMES),
    ...given({ to: pick('to'), text: pick('text'), type: pick('type') ?? (name && 'template') }),
    ...given({ category: pick('category'), template: name && { name, ...given({ language }) } }),
  });
}

function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
