import type { FormField } from '../api/records';
import type { VisitorTraits } from '../../protocol';

export interface FieldInput {
  element: 'input' | 'textarea' | 'select';
  type?: 'text' | 'email' | 'tel' | 'url' | 'date' | 'time';
  inputMode?: 'email' | 'tel' | 'url' | 'decimal';
  autocomplete: string;
  /** Whether phones should capitalize and correct the input; false for addresses. */
  isProse: boolean;
}

/** The input for a field. An unknown type, from a newer server, becomes a text input. */
export function inputOf(field: FormField): FieldInput {
  switch (field.type) {
    case 'email':
      return { element: 'input', type: 'email', inputMode: 'email', autocomplete: 'email', isProse: false };
    case 'phone':
    case 'tel':
    case 'mobile':
      return { element: 'input', type: 'tel', inputMode: 'tel', autocomplete: 'tel', isProse: false };
    case 'url':
      return { element: 'input', type: 'url', inputMode: 'url', autocomplete: 'url', isProse: false };
    case 'number':
      // A native number input discards invalid input, and the mouse wheel changes its value.
      return { element: 'input', type: 'text', inputMode: 'decimal', autocomplete: 'off', isProse: false };
    case 'date':
      return { element: 'input', type: 'date', autocomplete: autocompleteOf(field.key), isProse: false };
    case 'time':
      return { element: 'input', type: 'time', autocomplete: 'off', isProse: false };
    case 'textarea':
      return { element: 'textarea', autocomplete: 'off', isProse: true };
    case 'select':
      return { element: 'select', autocomplete: autocompleteOf(field.key), isProse: false };
    default:
      return { element: 'input', type: 'text', autocomplete: autocompleteOf(field.key), isProse: true };
  }
}

/** WHATWG HTML, "Autofill": the token for the key of a field. */
const AUTOCOMPLETE: [RegExp, string][] = [
  [/^(first|given)name$/, 'given-name'],
  [/^(last|family|sur)name$/, 'family-name'],
  [/^(full|your)?name$/, 'name'],
  [/^(company|organi[sz]ation|employer)(name)?$/, 'organization'],
  [/^(jobtitle|role|position)$/, 'organization-title'],
  [/^(zip|zipcode|postcode|postalcode)$/, 'postal-code'],
  [/^(city|town)$/, 'address-level2'],
  [/^(state|province|region)$/, 'address-level1'],
  [/^(street|address|streetaddress|addressline1)$/, 'address-line1'],
  [/^country$/, 'country-name'],
  [/^(birthday|birthdate|dateofbirth|dob)$/, 'bday'],
];

function autocompleteOf(key: string): string {
  const plain = key.toLowerCase().replace(/[^a-z\d]/g, '');
  return AUTOCOMPLETE.find(([pattern]) => pattern.test(plain))?.[1] ?? 'off';
}

/** The value of a field that the site provided about its visitor. */
export function prefilled(field: FormField, traits: VisitorTraits): string {
  const { autocomplete } = inputOf(field);
  if (autocomplete === 'email') return traits.email ?? '';
  if (autocomplete === 'tel') return traits.phone ?? '';
  if (autocomplete === 'name') return traits.name ?? '';
  return '';
}
