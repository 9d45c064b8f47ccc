/**
 * The kinds of values that India's DLT registries know. Templates that were registered since January 2026 must name the
 * kind of each value (TRAI direction of 18 November 2025); `{#var#}` in older templates stands for any text.
 */
export type PlaceholderKind = 'var' | 'numeric' | 'alphanumeric' | 'url' | 'urlott' | 'cbn' | 'email';

export interface KindRule {
  /** In code points. */
  maxLength: number;
  /** Completes the sentence "the value must be …". */
  description: string;
  /** A character class that contains all characters of the valid values; null: any character. */
  characters: RegExp | null;
  /** The form of a whole value; null: any text, also the empty one. The expressions take linear time. */
  form: RegExp | null;
}

/** The registries allow 30 characters for each value. Links and addresses are longer in practice. */
const MAX_VALUE_LENGTH = 30;
const MAX_LINK_LENGTH = 120;
const MAX_EMAIL_LENGTH = 100;

const HOST = String.raw`(?:[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{M}]{2,}`;
const PATH = String.raw`(?::\d{1,5})?(?:[/?#][^\s<>"]*)?`;

/** Sources: the tag tables of MSG91 and of the registries of Airtel, Jio, Vodafone Idea and BSNL. */
export const PLACEHOLDER_KINDS: Readonly<Record<PlaceholderKind, KindRule>> = {
  var: { maxLength: MAX_VALUE_LENGTH, description: 'a text', characters: null, form: null },
  numeric: {
    maxLength: MAX_VALUE_LENGTH,
    description: 'digits only',
    characters: /[0-9]/,
    form: /^[0-9]+$/,
  },
  // Names and addresses are of this kind, so spaces are valid.
  alphanumeric: {
    maxLength: MAX_VALUE_LENGTH,
    description: 'letters, digits and spaces only',
    characters: /[\p{L}\p{M}\p{N} ]/u,
    form: /^[\p{L}\p{M}\p{N} ]*[\p{L}\p{N}][\p{L}\p{M}\p{N} ]*$/u,
  },
  url: {
    maxLength: MAX_LINK_LENGTH,
    description: 'a web address, such as https://example.com/a',
    characters: /[^\s<>"]/,
    form: new RegExp(`^(?:https?://)?${HOST}${PATH}$`, 'iu'),
  },
  urlott: {
    maxLength: MAX_LINK_LENGTH,
    description: 'the address of an app or of its download, such as https://example.com/app.apk',
    characters: /[^\s<>"]/,
    form: new RegExp(`^(?:(?:https?://)?${HOST}${PATH}|(?:market|itms-apps?)://[^\\s<>"]+)$`, 'iu'),
  },
  cbn: {
    maxLength: MAX_VALUE_LENGTH,
    description: 'a phone number, such as 1800-123-4567',
    characters: /[0-9+ -]/,
    form: /^\+?[0-9](?:[ -]?[0-9]){2,14}$/,
  },
  email: {
    maxLength: MAX_EMAIL_LENGTH,
    description: 'an email address',
    characters: /[^\s<>"]/,
    form: new RegExp(String.raw`^[^\s<>"@,;:()\[\]\\]{1,64}@${HOST}$`, 'u'),
  },
};

/** For API documents. */
export const PLACEHOLDERS_DESCRIPTION =
  'Template text. Placeholders are written as `{{token}}`, or as in the DLT registry, in any case: `{#var#}` (any text of ' +
  `at most ${MAX_VALUE_LENGTH} characters), ` +
  '`{#numeric#}`, `{#alphanumeric#}`, `{#url#}`, `{#urlott#}`, `{#cbn#}` or `{#email#}`, whose values must be of that ' +
  'kind. Their tokens are named after the kind: `numeric`, or `numeric1`, `numeric2` and so on if there are several. ' +
  'In a template without `{#var#}` the names `var1`, `var2` and so on are accepted as well';

/** Length in code points, which is how the registries count: an emoji is one character. */
function lengthInCodePoints(text: string): number {
  return [...text].length;
}

/** Returns what is wrong with a value, as the end of a sentence; null if it is valid. */
export function valueProblem(kind: PlaceholderKind, value: string): string | null {
  const { maxLength, description, form } = PLACEHOLDER_KINDS[kind];
  const length = value.length > maxLength ? lengthInCodePoints(value) : value.length;
  if (length > maxLength) return `must have at most ${maxLength} characters, but it has ${length}`;
  return form && !form.test(value) ? `must be ${description}` : null;
}
