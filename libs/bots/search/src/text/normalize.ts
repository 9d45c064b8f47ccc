const INVISIBLE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFE00-\uFE0F\uFEFF]/g;
const CONTROLS = /[\u0000-\u0008\u000E-\u001F\u007F]/g;
const LETTERS_OF_TWO: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ى: 'ي',
  ة: 'ه',
  'ँ': 'ं',
};
const FOLDED_LETTERS = new RegExp(`[${Object.keys(LETTERS_OF_TWO).join('')}]`, 'gu');
/** Accents of Latin, Greek and Cyrillic, Arabic vowel marks, and the Devanagari nukta; not Devanagari vowel signs. */
const MARKS = /[\u0300-\u036F\u064B-\u0652\u0640\u093C]/g;
const ASCII = /^[\u0000-\u007F]*$/;

/**
 * Converts to lower case and NFKC, removes invisible characters, and unifies apostrophes and hyphens; keeps accents.
 */
export function normalize(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(CONTROLS, ' ')
    .replace(/[\u2018\u2019\u02BC\u0060\u00B4\uFF07]/g, "'")
    .replace(/[\u2010-\u2015]/g, '-')
    .toLowerCase()
    .normalize('NFC');
}

/** Removes accents and replaces special letters of a normalized word, which users often omit. */
export function fold(word: string): string {
  if (ASCII.test(word)) return word;
  const bare = word.normalize('NFD').replace(MARKS, '').normalize('NFC');
  return bare.replace(FOLDED_LETTERS, (letter) => LETTERS_OF_TWO[letter] ?? letter);
}
