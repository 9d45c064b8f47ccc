import { languageWords } from './languages';

/** Words or phrases that stand for each other, or the first of them for each of the others and the other way round. */
export interface Relation {
  members: readonly string[];
  /** See `LanguageWords.synonyms`. */
  kind: 'same' | 'kinds' | 'related';
}

/** Whether anything is known of the words of a language. */
export function hasWords(code: string): boolean {
  return languageWords(code) !== undefined;
}

/** What holds for nearly any business in a language; nothing for most. */
export function commonSynonyms(code: string): readonly Relation[] {
  return (languageWords(code)?.synonyms ?? []).map(readRelation);
}

/** Words that a question may hold without being about them. */
export function genericWords(code: string): readonly string[] {
  return languageWords(code)?.generic?.trim().split(/\s+/) ?? [];
}

function readRelation(line: string): Relation {
  const [, head = '', sign, rest = ''] = /^([^|:~]+?) ?([:~]) (.+)$/.exec(line) ?? [];
  if (sign === undefined) return { kind: 'same', members: line.split('|') };
  return { kind: sign === ':' ? 'kinds' : 'related', members: [head, ...rest.split('|')] };
}
