/** Maximum length of the analyzed text. Valid messages are shorter. */
const MAX_CHARACTERS = 8_000;
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]/g;
/** Diacritics of Latin, Greek and Cyrillic, vowel points of Arabic and the nukta of Devanagari. Vowels of Devanagari are retained. */
const ACCENTS = /[\u0300-\u036f\u064b-\u0652\u0640\u093c]/g;
const APOSTROPHES = /['\u2018\u2019\u02bc`\u00b4]/g;
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ى: 'ي',
  ة: 'ه',
  'ँ': 'ं',
};
const ODD_LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** A text prepared for the search for phrases. */
export interface Words {
  /** The words in lower case, without diacritics and apostrophes. */
  list: readonly string[];
  /** The words, separated and surrounded by spaces. */
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
 * Returns the position of a phrase of whole words in `padded` or, for scripts without spaces, in `joined`. Returns -1
 * if the text does not contain the phrase or if the phrase contains no word.
 */
export function indexOfPhrase(text: Words, phrase: Words): number {
  if (phrase.list.length === 0) return -1;
  return UNSPACED.test(phrase.joined) ? text.joined.indexOf(phrase.joined) : text.padded.indexOf(phrase.padded);
}

/** Whether both texts consist of the same words. */
export function isSame(text: Words, phrase: Words): boolean {
  return phrase.list.length > 0 && text.joined === phrase.joined;
}
