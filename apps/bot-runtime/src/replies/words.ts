/** Longer than any valid message. */
const MAX_CHARACTERS = 8_000;
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]/g;
/** Diacritics of Latin, Greek and Cyrillic, vowel points of Arabic, the nukta of Devanagari, but not its vowels. */
const ACCENTS = /[\u0300-\u036f\u064b-\u0652\u0640\u093c]/g;
const APOSTROPHES = /['\u2018\u2019\u02bc`\u00b4]/g;
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i' },
  ...{ أ: 'ا', إ: 'ا', آ: 'ا', ى: 'ي', ة: 'ه', 'ँ': 'ं' },
};
const ODD_LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** A text prepared for searching phrases. */
export interface Words {
  /** In lowercase, without diacritics and apostrophes. */
  list: readonly string[];
  /** The words with a space before, between and after them. */
  padded: string;
  /** The words without separators, for scripts without spaces. */
  joined: string;
}

/** Splits a text of any kind into words, in time proportional to its length. */
export function wordsOf(text: string): Words {
  const plain = text
    .slice(0, MAX_CHARACTERS)
    .toWellFormed()
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(APOSTROPHES, '')
    .toLowerCase()
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(ODD_LETTER, (letter) => LETTERS[letter] ?? letter);
  const list = plain.match(WORD) ?? [];
  return { list, padded: ` ${list.join(' ')} `, joined: list.join('') };
}

/**
 * Position of the phrase in the text, as whole words, in `padded`; for scripts without spaces, in `joined`. -1 if it is
 * not there or contains no word.
 */
export function indexOfPhrase(text: Words, phrase: Words): number {
  if (phrase.list.length === 0) return -1;
  return UNSPACED.test(phrase.joined) ? text.joined.indexOf(phrase.joined) : text.padded.indexOf(phrase.padded);
}

/** Whether both consist of the same words. */
export function isSame(text: Words, phrase: Words): boolean {
  return phrase.list.length > 0 && text.joined === phrase.joined;
}
