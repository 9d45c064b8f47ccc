import { classOf } from './function-words';
import type { WordClass } from './languages';
import type { Language } from './language';
import { fold } from './normalize';
import { stemsOf, type Queryable } from './stemmer';

/** A word as it is matched: by any of its lexemes, with the weight of its class. */
export interface Token {
  /** Folded. */
  bare: string;
  class: WordClass;
  /** Folded stems: of the word as it stands, without accents, and with umlauts restored; never empty. */
  lexemes: readonly string[];
}

/** Tokens of normalized words, in their order, as `wordsOf` answers them. */
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
    // A stemmer knows no question words: it takes the Spanish `cómo` for a form of `comer`.
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

/** A token as the index keeps it; the lexemes of words hold neither blanks nor slashes. */
export function writeToken(token: Token): string {
  return `${LETTER_OF[token.class]}${token.lexemes.join('/')}`;
}

export interface StoredToken {
  class: WordClass;
  lexemes: readonly string[];
}

/** What `writeToken` wrote. */
export function readToken(stored: string): StoredToken {
  const lexemes = stored.slice(1);
  return {
    class: CLASS_OF.get(stored.charAt(0)) ?? 'content',
    lexemes: lexemes.includes('/') ? lexemes.split('/') : [lexemes],
  };
}

/** The tokens of a sequence that was joined by blanks, each as `writeToken` wrote it. */
export function splitTokens(sequence: string): string[] {
  return sequence === '' ? [] : sequence.split(' ');
}
