/** More than any message holds; what is longer is not a message. */
const MAX_CHARACTERS = 8_000;
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]/g;
/** Accents of Latin, Greek and Cyrillic, vowel points of Arabic, the dot below of Devanagari; not its vowels. */
const ACCENTS = /[\u0300-\u036f\u064b-\u0652\u0640\u093c]/g;
const APOSTROPHES = /['\u2018\u2019\u02bc`\u00b4]/g;
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i' },
  ...{ أ: 'ا', إ: 'ا', آ: 'ا', ى: 'ي', ة: 'ه', 'ँ': 'ं' },
};
const ODD_LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that write no blanks between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** A text as phrases are looked for in it. */
export interface Words {
  /** In small letters, without accents and apostrophes. */
  list: readonly string[];
  /** The words with a blank before, between and behind them. */
  padded: string;
  /** The words with nothing between them, for scripts that have no blanks. */
  joined: string;
}

/** Reads what is words in a text of any kind; its work is in step with the length of the text. */
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
 * Where the phrase stands in the text, as whole words, in `padded`; in scripts without blanks anywhere in `joined`.
 * -1: it does not, or it holds no word.
 */
export function indexOfPhrase(text: Words, phrase: Words): number {
  if (phrase.list.length === 0) return -1;
  return UNSPACED.test(phrase.joined) ? text.joined.indexOf(phrase.joined) : text.padded.indexOf(phrase.padded);
}

/** Whether the two are the same words. */
export function isSame(text: Words, phrase: Words): boolean {
  return phrase.list.length > 0 && text.joined === phrase.joined;
}
