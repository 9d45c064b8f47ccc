import type { Language } from '../text/language';
import { isCorrectable, spellingKeys } from '../text/spelling';
import type { Queryable } from '../text/stemmer';
import { tokensOf, type Token } from '../text/tokens';
import { wordsOf } from '../text/words';
import { alternativesOf, genericLexemes, type Alternative, type Synonyms } from './synonyms';

/** A question of a visitor; the text is untrusted. */
export interface Question {
  botId: string;
  locale: string;
  /** Up to 4,000 code points; the rest is ignored. */
  text: string;
  /** Groups of synonymous words or phrases. */
  synonyms: Synonyms;
}

/** A part of the question that is scored separately. */
export interface Segment {
  from: number;
  /** Exclusive. */
  to: number;
  kind: 'whole' | 'clause' | 'window';
}

export interface ReadQuestion {
  tokens: Token[];
  segments: Segment[];
  alternatives: Alternative[];
  /** Lexemes of generic words, which do not carry the subject of a question. */
  generic: ReadonlySet<string>;
}

const MAX_CHARACTERS = 8_000;
const MAX_WORDS = 160;
const MAX_CLAUSES = 16;
const WINDOW = 9;
const STEP = 3;
const CLAUSE_END =
  /[.!?;,\n。！？；，、।…]+(?=\s|$|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana})|\s[-–—]+\s|[()\n]/u;

/** Parses a question into words and clauses, and finds the synonyms of its words. */
export async function readQuestion(
  from: Queryable,
  { text, synonyms }: Question,
  language: Language,
): Promise<ReadQuestion> {
  const words: string[] = [];
  const clauses: Segment[] = [];
  for (const clause of text.slice(0, MAX_CHARACTERS).split(CLAUSE_END)) {
    const start = words.length;
    words.push(...wordsOf(clause, language, MAX_WORDS - start));
    if (words.length > start) clauses.push({ from: start, to: words.length, kind: 'clause' });
    if (words.length >= MAX_WORDS) break;
  }
  const tokens = await tokensOf(from, words, language);
  const alternatives = tokens.length === 0 ? [] : await alternativesOf(from, tokens, synonyms, language);
  const generic = await genericLexemes(from, language);
  const whole: Segment = { from: 0, to: tokens.length, kind: 'whole' };
  const parts = clauses.length > 1 ? clauses.slice(0, MAX_CLAUSES) : [];
  const long = (clauses.length > 1 ? clauses : [whole]).filter((clause) => clause.to - clause.from > WINDOW + STEP);
  return { tokens, alternatives, generic, segments: [whole, ...parts, ...long.flatMap(windowsOf)] };
}

function windowsOf({ from, to }: Segment): Segment[] {
  const windows: Segment[] = [];
  for (let at = from; at < to - STEP; at += STEP) {
    windows.push({ from: at, to: Math.min(at + WINDOW, to), kind: 'window' });
  }
  return windows;
}

/** Parameters of `bot_search.find`. */
export interface Lookup {
  terms: string[];
  bases: number[];
  owners: number[];
  beginnings: string[];
  endings: string[];
  /** Spelling keys of a word as a PostgreSQL array literal; used only for words that do not occur in the bot. */
  keySets: string[];
  keyOwners: number[];
  keyLengths: number[];
}

const MAX_TERMS = 400;
const MAX_RELATIVES = 16;
const MAX_MISSPELLED = 20;
const BASE = { content: 1, light: 0.2, ask: 0.2, not: 0.2, stop: 0.1, filler: 0 } as const;
const BASE_OF_SYNONYM = 0.8;
const NO_OWNER = -1;
/** In these scripts, a letter represents most of a syllable. */
export const INDIC = /^[\u0900-\u0DFF]/;
export const INDIC_BEGINNING = 3;

/** Builds the lookup for a question; undefined if the question has no searchable word. */
export function lookupOf(
  { tokens, alternatives }: ReadQuestion,
  botId: string,
  language: Language,
): Lookup | undefined {
  const hasContent = tokens.some(({ class: of }) => of === 'content' || of === 'light');
  const lookup: Lookup = {
    terms: [],
    bases: [],
    owners: [],
    beginnings: [],
    endings: [],
    keySets: [],
    keyOwners: [],
    keyLengths: [],
  };
  const add = (lexeme: string, base: number, owner: number): void => {
    if (lookup.terms.length >= MAX_TERMS) return;
    lookup.terms.push(lexeme);
    lookup.bases.push(base);
    lookup.owners.push(owner);
  };
  const seen = new Set<string>();
  let misspelled = 0;
  tokens.forEach(({ bare, class: of, lexemes }, at) => {
    if (of === 'filler' || (hasContent && of !== 'content' && of !== 'light') || seen.has(bare)) return;
    seen.add(bare);
    for (const lexeme of lexemes) add(lexeme, BASE[of], at);
    if (of !== 'content') return;
    const lexeme = lexemes[0] ?? bare;
    const { partLength } = language;
    const beginning = INDIC.test(lexeme) ? INDIC_BEGINNING : partLength === 2 ? 2 : partLength + 1;
    if (lexeme.length >= beginning && lookup.beginnings.length < MAX_RELATIVES) {
      lookup.beginnings.push(lexeme.slice(0, beginning));
      if (language.compounds) lookup.endings.push([...lexeme].reverse().join(''));
    }
    if (language.compounds && lexeme.length > 2 * partLength) {
      for (let cut = partLength; cut <= lexeme.length - partLength; cut++) {
        add(lexeme.slice(0, cut), 0.25, NO_OWNER);
        add(lexeme.slice(cut), 0.25, NO_OWNER);
      }
    }
    if (misspelled < MAX_MISSPELLED && isCorrectable(bare)) {
      misspelled++;
      lookup.keySets.push(`{${spellingKeys(bare, botId).join(',')}}`);
      lookup.keyOwners.push(at);
      lookup.keyLengths.push(bare.length);
    }
  });
  for (const { needs } of alternatives) {
    for (const lexeme of needs.flat()) {
      if (seen.has(` ${lexeme}`)) continue;
      seen.add(` ${lexeme}`);
      add(lexeme, BASE_OF_SYNONYM, NO_OWNER);
    }
  }
  return lookup.terms.length === 0 ? undefined : lookup;
}
