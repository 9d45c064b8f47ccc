import { classOf } from './function-words';
import type { WordClass } from './languages';
import type { Language } from './language';
import { fold } from './normalize';
import { stemsOf, type Queryable } from './stemmer';

/** A word for matching: its lexemes and its class. */
export interface Token {
  /** Folded. */
  bare: string;
  class: WordClass;
  /**
   * Folded stems of the word, of its spelling without accents, and of its spelling with restored umlauts; never empty.
   */
  lexemes: readonly string[];
}

/** The tokens of normalized words, in the order of `wordsOf`. */
export async function tokensOf(from: Queryable, words: readonly string[], language: Language): Promise<Token[]> {
  const known = new Map<string, Token>();
  const { dictionary } = language;
  const variants = new Map<string, string[]>();
  for (const word of words) if (!variants.has(word)) variants.set(word, spellingsOf(word, language));
  const stems = dictionary
    ? await stemsOf(
        from,
        dictionary,
        [...variants.values()].flat().filter((word) => !/\p{N}/u.test(word)),
      )
    : new Map<string, string | null>();
  for (const [word, spellings] of variants) {
    const bare = fold(word);
    const lexemes = new Set(spellings.map((spelling) => fold(stems.get(spelling) ?? spelling)));
    const isStop = stems.get(word) === null;
    const of = classOf(bare, language.code) ?? (isStop ? 'stop' : 'content');
    // Question words are not stemmed: the stemmer would treat the Spanish `cómo` as a form of `comer`.
    known.set(word, { bare, class: of, lexemes: of === 'ask' ? [bare] : [...lexemes] });
  }
  return words.flatMap((word) => known.get(word) ?? []);
}

function spellingsOf(word: string, { code }: Language): string[] {
  const spellings = [word, fold(word)];
  if (code === 'de') {
    const umlauts = word.replace(/[aou]e/g, (pair) => ({ ae: 'ä', oe: 'ö', ue: 'ü' })[pair] ?? pair);
    if (umlauts !== word) spellings.push(umlauts);
  }
  return [...new Set(spellings)];
}

const LETTER_OF: Readonly<Record<WordClass, string>> = {
  content: 'c',
  light: 'l',
  ask: 'a',
  not: 'n',
  stop: 's',
  filler: 'f',
};
const CLASS_OF = new Map(Object.entries(LETTER_OF).map(([name, letter]) => [letter, name as WordClass]));

/** Serializes a token for the index; lexemes contain neither spaces nor slashes. */
export function writeToken(token: Token): string {
  return `${LETTER_OF[token.class]}${token.lexemes.join('/')}`;
}

export interface StoredToken {
  class: WordClass;
  lexemes: readonly string[];
}

/** Parses the output of `writeToken`. */
export function readToken(stored: string): StoredToken {
  const lexemes = stored.slice(1);
  return {
    class: CLASS_OF.get(stored.charAt(0)) ?? 'content',
    lexemes: lexemes.includes('/') ? lexemes.split('/') : [lexemes],
  };
}

/** Parses tokens that are separated by spaces, each as written by `writeToken`. */
export function splitTokens(sequence: string): string[] {
  return sequence === '' ? [] : sequence.split(' ');
}
