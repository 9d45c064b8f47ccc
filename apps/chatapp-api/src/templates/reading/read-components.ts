import type { TemplateComponent } from '@heliograph/chatapp-catalog';
import { objectAt, oneOf, optionalBooleanAt, textAt, type Fields } from './fields';
import { invalid } from './invalid';
import { readAuthentication } from './read-authentication';
import { readButtons } from './read-buttons';
import { readCarousel } from './read-carousel';
import { readBodyText, readFooter, readHeader } from './read-texts';
import { COMPONENT_TYPES, type TemplateRequest } from '../templates.dto';

/** Maximum length of the text of a limited-time offer. */
const MAX_OFFER = 16;

type ComponentType = (typeof COMPONENT_TYPES)[number];

/**
 * Reads the components of a template in the provider's notation and order, with a sample for every placeholder. Rejects
 * components whose format the provider would reject, so that the provider is not called in vain. Throws
 * INVALID_REQUEST.
 */
export function readComponents({ components, category }: TemplateRequest): TemplateComponent[] {
  const parts = new Map<ComponentType, { what: string; fields: Fields }>();
  for (const [index, component] of components.entries()) {
    const what = `components[${index}]`;
    const fields = objectAt(what, component);
    const type = oneOf(`${what}.type`, fields['type'], COMPONENT_TYPES);
    if (parts.has(type)) throw invalid('components', `must contain one ${type}`);
    parts.set(type, { what, fields });
  }
  if (category === 'authentication') return readAuthentication(parts);
  if (!parts.has('BODY')) throw invalid('components', 'must contain a BODY');
  refuseTogether(parts, 'CAROUSEL', ['HEADER', 'FOOTER', 'BUTTONS', 'LIMITED_TIME_OFFER']);
  refuseTogether(parts, 'LIMITED_TIME_OFFER', ['FOOTER']);
  return COMPONENT_TYPES.flatMap((type) => {
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
    case 'LIMITED_TIME_OFFER':
      return { limited_time_offer: readOffer(`${what}.limited_time_offer`, fields['limited_time_offer']) };
    case 'CAROUSEL':
      return readCarousel(what, fields);
  }
}

function readOffer(what: string, value: unknown): Fields {
  const offer = objectAt(what, value);
  const hasExpiration = optionalBooleanAt(`${what}.has_expiration`, offer['has_expiration']);
  return {
    text: textAt(`${what}.text`, offer['text'], MAX_OFFER),
    ...(hasExpiration === undefined ? {} : { has_expiration: hasExpiration }),
  };
}

function refuseTogether(
  parts: ReadonlyMap<ComponentType, unknown>,
  type: ComponentType,
  others: ComponentType[],
): void {
  const other = parts.has(type) && others.find((each) => parts.has(each));
  if (other) throw invalid('components', `must not contain both ${type} and ${other}`);
}
