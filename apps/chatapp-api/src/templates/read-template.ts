import { isTemplateCategory, type TemplateCategory, type TemplateComponent } from '@heliograph/chatapp-catalog';
import { AppError } from '@heliograph/errors';
import { listAt, objectAt, oneOf, type Fields } from './fields';
import { invalid } from './invalid';
import { readAuthentication } from './read-authentication';
import { readButtons } from './read-buttons';
import { readBodyText, readFooter, readHeader } from './read-texts';

/** A validated template that the provider can be asked to create. */
export interface NewTemplate {
  name: string;
  language: string;
  category: TemplateCategory;
  /** In the provider's notation and order, with a sample for every placeholder. */
  components: TemplateComponent[];
}

const TYPES = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'] as const;
type ComponentType = (typeof TYPES)[number];

const DEFAULT_LANGUAGE = 'en_US';
const NAME = /^[a-z0-9_]{1,512}$/;
const LANGUAGE = /^[a-z]{2,3}(?:_[A-Z]{2,4})?$/;

/**
 * Validates a template. Refuses what the provider would refuse for its form, so that no call is needed. Throws
 * INVALID_REQUEST, INVALID_CATEGORY.
 */
export function readTemplate({ name, language: given, category, components }: Fields): NewTemplate {
  if (!isTemplateName(name)) {
    throw invalid('name', 'must have 1 to 512 characters from a to z, 0 to 9 and _');
  }
  const language = given ?? DEFAULT_LANGUAGE;
  if (typeof language !== 'string' || !LANGUAGE.test(language)) {
    throw invalid('language', 'must be a language code such as en or en_US');
  }
  const known = typeof category === 'string' ? category.toLowerCase() : category;
  if (!isTemplateCategory(known)) {
    throw new AppError('INVALID_CATEGORY', 'category must be marketing, utility or authentication.');
  }
  return { name, language, category: known, components: readComponents(components, known) };
}

export function isTemplateName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value);
}

function readComponents(value: unknown, category: TemplateCategory): TemplateComponent[] {
  const parts = new Map<ComponentType, { what: string; fields: Fields }>();
  for (const [index, component] of listAt('components', value, { min: 1, max: TYPES.length }).entries()) {
    const what = `components[${index}]`;
    const fields = objectAt(what, component);
    const type = oneOf(`${what}.type`, fields['type'], TYPES);
    if (parts.has(type)) throw invalid('components', `must contain one ${type}`);
    parts.set(type, { what, fields });
  }
  if (category === 'authentication') return readAuthentication(parts);
  if (!parts.has('BODY')) throw invalid('components', 'must contain a BODY');
  return TYPES.flatMap((type) => {
    const part = parts.get(type);
    return part ? [{ type, ...readComponent(type, part.what, part.fields) }] : [];
  });
}

function readComponent(type: ComponentType, what: string, fields: Fields): Fields {
  switch (type) {
    case 'HEADER':
      return readHeader(what, fields);
    case 'BODY':
      return readBodyText(what, fields);
    case 'FOOTER':
      return readFooter(what, fields);
    case 'BUTTONS':
      return { buttons: readButtons(`${what}.buttons`, fields['buttons']) };
  }
}
