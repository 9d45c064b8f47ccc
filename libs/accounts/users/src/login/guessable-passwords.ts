const COMMON_PASSWORDS = 1_000;
/** Longest suffix or prefix of digits and symbols that does not make a password harder to guess, such as `2024!`. */
const MAX_AFFIX_LENGTH = 5;
/** Shorter words occur in good passwords by chance. */
const MIN_WORD_LENGTH = 4;
/** Common replacements of letters. */
const LETTERS: Readonly<Record<string, string>> = { '@': 'a', '0': 'o', '1': 'i', '3': 'e', $: 's' };
const AFFIX_CHARACTER = /[^\p{L}]/u;

let common: Promise<ReadonlySet<string>> | undefined;

/** Loaded when the first password is chosen, because most processes never need the list. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set((dictionary['passwords-common'] as string[]).slice(0, COMMON_PASSWORDS)),
  );
  return common;
}

/** Whether the password is one of the most common ones, regardless of case, repetition, replaced letters, and added digits and symbols. */
export async function isCommonPassword(password: string): Promise<boolean> {
  const known = await commonPasswords();
  return isVariantOf(password, (word) => known.has(word));
}

/** Whether the password is a word that describes its user, such as the email address, or a variant as above. */
export function isPersonalWord(password: string, words: readonly string[]): boolean {
  const own = new Set(words.map(comparable));
  return isVariantOf(password, (word) => own.has(word));
}

function isVariantOf(password: string, isKnown: (word: string) => boolean): boolean {
  const whole = comparable(password);
  if (isKnown(whole)) return true;
  return coresOf(whole).some((core) =>
    [core, repeatedPartOf(core), core.replace(/[@013$]/g, (one) => LETTERS[one] ?? one)].some(isKnown),
  );
}

/** The password without each possible prefix and suffix of digits and symbols. */
function coresOf(whole: string): string[] {
  const characters = [...whole];
  const prefix = affixLength(characters);
  const suffix = affixLength(characters.toReversed());
  return Array.from({ length: prefix + 1 }, (_, start) =>
    Array.from({ length: suffix + 1 }, (_one, end) => characters.slice(start, characters.length - end)),
  )
    .flat()
    .filter(({ length }) => length >= MIN_WORD_LENGTH)
    .map((core) => core.join(''));
}

function affixLength(characters: readonly string[]): number {
  const found = characters.slice(0, MAX_AFFIX_LENGTH).findIndex((one) => !AFFIX_CHARACTER.test(one));
  return found === -1 ? Math.min(MAX_AFFIX_LENGTH, characters.length) : found;
}

/** The word that the text repeats, such as `abcd` of `abcdabcd`; otherwise the text. */
function repeatedPartOf(text: string): string {
  const period = (text + text).indexOf(text, 1);
  return text.slice(0, period);
}

function comparable(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, '');
}
