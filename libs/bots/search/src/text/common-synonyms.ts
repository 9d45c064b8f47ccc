import { languageWords } from './languages';

/** Words or phrases that are synonyms of each other, or whose first member is a synonym of each other member. */
export interface Relation {
  members: readonly string[];
  /** See `LanguageWords.synonyms`. */
  kind: 'same' | 'kinds' | 'related';
}

/** Whether a word list exists for the language. */
export function hasWords(code: string): boolean {
  return languageWords(code) !== undefined;
}

/** Synonyms that are valid for nearly any business in a language; empty for most languages. */
export function commonSynonyms(code: string): readonly Relation[] {
  return (languageWords(code)?.synonyms ?? []).map(readRelation);
}

/** Generic words, which do not carry the subject of a question. */
export function genericWords(code: string): readonly string[] {
  return languageWords(code)?.generic?.trim().split(/\s+/) ?? [];
}

function readRelation(line: string): Relation {
  const [, head = '', sign, rest = ''] = /^([^|:~]+?) ?([:~]) (.+)$/.exec(line) ?? [];
  if (sign === undefined) return { kind: 'same', members: line.split('|') };
  return { kind: sign === ':' ? 'kinds' : 'related', members: [head, ...rest.split('|')] };
}
