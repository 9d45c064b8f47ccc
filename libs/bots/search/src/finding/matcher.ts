import { allowedSlips, slipsBetween } from '../text/spelling';
import type { Language } from '../text/language';
import { readToken, type StoredToken, type Token } from '../text/tokens';
import type { WordClass } from '../text/languages';
import { CALIBRATION } from './calibration';
import type { Candidate, Candidates } from './candidates';
import { INDIC, INDIC_BEGINNING, type ReadQuestion } from './question';

/** A word of the question that a token of an entry matches, with the match strength. */
export interface Match {
  word: number;
  strength: number;
  /** One of the two words is a part of the other, a compound. */
  isPart: boolean;
}

const MAX_COUSIN_ENDING = 5;
const LEAST_IN_COMMON = 0.6;
/** Document frequencies of very small bots are not meaningful, so at least this number of entries is assumed. */
const LEAST_ENTRIES = 20;
/** Letters that stemming would remove from the last part of a compound. */
const MAX_PART_ENDING = 3;

/** A token of an entry with its matches in the question; equal tokens share one object. */
export interface MatchedToken extends StoredToken {
  readonly matches: readonly Match[];
  /** A phrase contains one of its lexemes. */
  readonly isNeeded: boolean;
  /** Its weight per kind of entry, computed on demand. */
  weight: { faqs?: number; passages?: number };
}

/** A candidate with its matched tokens. */
export interface MatchedEntry {
  entry: Candidate;
  forms: readonly (readonly MatchedToken[])[];
  body: readonly MatchedToken[];
}

const STRENGTH_OF = { owner: 'ownerSynonym', common: 'commonSynonym', related: 'relatedWord' } as const;
/** Matches words that contain a digit. */
export const NUMBER = /\p{N}/u;
const NO_MATCHES: readonly Match[] = [];

/** A synonym, by indexes of the distinct words that it covers. */
export interface WeighedAlternative {
  covers: readonly number[];
  needs: readonly (readonly string[])[];
  strength: number;
}

/** Matches tokens of entries with the words of one question, and computes their weights. */
export class Matcher {
  /** Index of the distinct word for each position in the question. */
  readonly wordAt: readonly number[];
  readonly words: readonly Token[];
  /** Synonyms of several words, in the question or in the entry. */
  readonly phrases: readonly WeighedAlternative[];
  private readonly generic: ReadonlySet<string>;
  /** Words that have a synonym in the bot. */
  private readonly renamed: ReadonlySet<number>;
  /** Words that an entry contains in a related form. */
  private readonly related = new Set<number>();
  /** Weights of words that have a meaning only as a phrase: `how much` means price. */
  private readonly telling = new Map<number, number>();
  /** Lexemes of the phrases. */
  readonly needed: ReadonlySet<string>;
  readonly entries: readonly MatchedEntry[];
  /** Lexemes of content words, with the indexes of the words. */
  private readonly asked: readonly { lexeme: string; place: number }[];
  private readonly direct = new Map<string, Match[]>();
  private readonly tokens = new Map<string, MatchedToken>();
  private readonly corrected = new Map<number, readonly string[]>();

  constructor(
    question: ReadQuestion,
    private readonly candidates: Candidates,
    private readonly language: Language,
  ) {
    this.generic = question.generic;
    const places = new Map<string, number>();
    const words: Token[] = [];
    this.wordAt = question.tokens.map((token) => {
      const place = places.get(token.bare) ?? words.length;
      if (place === words.length) {
        places.set(token.bare, place);
        words.push(token);
      }
      return place;
    });
    this.words = words;
    words.forEach(({ lexemes }, word) => lexemes.forEach((lexeme) => this.add(lexeme, word, 1)));
    this.addMeant();
    const isKnown = (lexemes: readonly string[]): boolean =>
      lexemes.some((lexeme) => candidates.frequencies.has(lexeme));
    const alternatives = question.alternatives
      .filter(({ needs }) => needs.every(isKnown))
      .map(({ covers, needs, source, isMisspelled, isPart }) => ({
        covers: [...new Set(covers.map((place) => this.wordAt[place] ?? 0))],
        needs,
        strength:
          CALIBRATION[STRENGTH_OF[source]] * (isMisspelled ? CALIBRATION.oneSlip : 1) * (isPart ? CALIBRATION.part : 1),
      }));
    for (const { covers, needs, strength } of alternatives) {
      const [only] = covers;
      if (covers.length !== 1 || needs.length !== 1 || only === undefined) continue;
      for (const lexeme of needs[0] ?? []) this.add(lexeme, only, strength);
    }
    this.phrases = alternatives.filter(({ covers, needs }) => covers.length > 1 || needs.length > 1);
    this.renamed = new Set(alternatives.flatMap(({ covers }) => covers));
    for (const { covers } of alternatives) {
      if (covers.some((word) => this.words[word]?.class === 'content')) continue;
      for (const word of covers)
        this.telling.set(word, Math.max(this.telling.get(word) ?? 0, CALIBRATION.telling / covers.length));
    }
    this.needed = new Set(this.phrases.flatMap(({ needs }) => needs.flat()));
    this.asked = words.flatMap(({ class: of, lexemes }, place) =>
      of === 'content' ? lexemes.map((lexeme) => ({ lexeme, place })) : [],
    );
    const read = (stored: string): MatchedToken => this.read(stored);
    // All entries are matched before scoring, because scoring depends on which words have related forms.
    this.entries = candidates.entries.map((entry) => {
      return { entry, forms: entry.forms.map((form) => form.map(read)), body: entry.body.map(read) };
    });
  }

  weightOfToken(token: MatchedToken, kind: 'faqs' | 'passages'): number {
    return (token.weight[kind] ??=
      token.class === 'content' ? this.rarityOf(token.lexemes, kind) : weightOfClass(token.class));
  }

  /** Matches a stored token with words of the question. */
  private read(stored: string): MatchedToken {
    let token = this.tokens.get(stored);
    if (!token) {
      const { class: of, lexemes } = readToken(stored);
      const isNeeded = this.needed.size > 0 && lexemes.some((lexeme) => this.needed.has(lexeme));
      token = { class: of, lexemes, matches: this.matchesOf(of, lexemes), isNeeded, weight: {} };
      this.tokens.set(stored, token);
    }
    return token;
  }

  private matchesOf(of: WordClass, lexemes: readonly string[]): readonly Match[] {
    let strengths: Map<number, number> | undefined;
    for (const lexeme of lexemes) {
      for (const { word, strength } of this.direct.get(lexeme) ?? NO_MATCHES)
        raise((strengths ??= new Map()), word, strength);
    }
    if (!strengths && of === 'content') strengths = this.relativesOf(lexemes[0] ?? '');
    if (!strengths) return NO_MATCHES;
    return Array.from(strengths, ([word, strength]) => ({ word, strength, isPart: strength === CALIBRATION.part }));
  }

  /** Weight of a word of the question for a kind of entry. */
  weightOfWord(word: number, kind: 'faqs' | 'passages'): number {
    const token = this.words[word];
    if (!token) return 0;
    if (token.class !== 'content') return Math.max(weightOfClass(token.class), this.telling.get(word) ?? 0);
    const lexemes = this.corrected.get(word) ?? token.lexemes;
    return this.rarityOf(lexemes, kind);
  }

  /** Whether neither the word, a related form, nor a synonym occurs in the bot. False for numbers and generic words. */
  isForeign(word: number): boolean {
    const { bare = '', lexemes = [] } = this.words[word] ?? {};
    if (NUMBER.test(bare) || this.isGeneric(lexemes)) return false;
    return this.isUnknown(word) && !this.renamed.has(word) && !this.related.has(word);
  }

  /** Whether neither the word nor a correction of it occurs in the bot. */
  isUnknown(word: number): boolean {
    const token = this.words[word];
    if (token?.class !== 'content' || this.corrected.has(word)) return false;
    return !token.lexemes.some((lexeme) => this.candidates.frequencies.has(lexeme));
  }

  private rarityOf(lexemes: readonly string[], kind: 'faqs' | 'passages'): number {
    const all = Math.max(LEAST_ENTRIES, this.candidates.all[kind]);
    let entries = 0;
    for (const lexeme of lexemes) entries = Math.max(entries, this.candidates.frequencies.get(lexeme)?.[kind] ?? 0);
    if (entries === 0) return this.weightOfUnknown(lexemes);
    const rarity = Math.log((all + 1) / (entries + 0.5)) / Math.log((all + 1) / 0.5);
    return Math.min(1, Math.max(CALIBRATION.leastRarity, rarity));
  }

  private weightOfUnknown(lexemes: readonly string[]): number {
    if (NUMBER.test(lexemes[0] ?? '')) return CALIBRATION.unknownNumber;
    return this.isGeneric(lexemes) ? CALIBRATION.unknownGeneric : CALIBRATION.unknown;
  }

  private isGeneric(lexemes: readonly string[]): boolean {
    return lexemes.some((lexeme) => this.generic.has(lexeme));
  }

  private addMeant(): void {
    const best = new Map<number, { slips: number; lexemes: readonly string[][] }>();
    for (const { owner, word, lexemes } of this.candidates.meant) {
      const place = this.wordAt[owner];
      const typed = place === undefined ? undefined : this.words[place];
      if (place === undefined || !typed) continue;
      const slips = slipsBetween(typed.bare, word, allowedSlips(typed.bare, word));
      if (slips > allowedSlips(typed.bare, word) || !isLikely(typed.bare, word, slips)) continue;
      const before = best.get(place);
      if (before && before.slips < slips) continue;
      const previous = before?.slips === slips ? before.lexemes : [];
      best.set(place, { slips, lexemes: [...previous, [...lexemes]] });
    }
    for (const [word, { slips, lexemes }] of best) {
      if (slips === 0) continue;
      this.corrected.set(word, lexemes.flat());
      for (const lexeme of lexemes.flat())
        this.add(lexeme, word, slips === 1 ? CALIBRATION.oneSlip : CALIBRATION.twoSlips);
    }
  }

  private relativesOf(lexeme: string): Map<number, number> | undefined {
    let strengths: Map<number, number> | undefined;
    for (const { lexeme: asked, place } of this.asked) {
      if (!this.language.compounds && asked.charCodeAt(0) !== lexeme.charCodeAt(0)) continue;
      const strength = kinship(asked, lexeme, this.language);
      if (strength === 0) continue;
      raise((strengths ??= new Map()), place, strength);
      this.related.add(place);
    }
    return strengths;
  }

  private add(lexeme: string, word: number, strength: number): void {
    const matches = this.direct.get(lexeme) ?? [];
    matches.push({ word, strength, isPart: false });
    this.direct.set(lexeme, matches);
  }
}

function weightOfClass(of: Exclude<WordClass, 'content'>): number {
  return of === 'filler' ? 0 : CALIBRATION[of];
}

function raise(strengths: Map<number, number>, word: number, strength: number): void {
  strengths.set(word, Math.max(strength, strengths.get(word) ?? 0));
}

/** Misspellings rarely affect the first letter, and short words with one changed letter are often different words. */
function isLikely(typed: string, word: string, slips: number): boolean {
  if (slips === 0) return true;
  if (typed.length <= 4 && word.length <= 4) return typed[0] === word[0] && sorted(typed) === sorted(word);
  return typed[0] === word[0] || (slips === 1 && typed.length >= 6) || typed[1] === word[0];
}

const sorted = (word: string): string => [...word].sort().join('');

/** Strength of the relation between two stems: a common prefix, or one as a part of the other. */
function kinship(a: string, b: string, { dictionary, compounds, partLength }: Language): number {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  let common = 0;
  while (common < short.length && short[common] === long[common]) common++;
  if (compounds && short.length >= partLength && long.length - short.length >= partLength - 1) {
    const at = long.indexOf(short);
    if (at === 0) return CALIBRATION.part;
    if (at >= partLength - 1 && long.length - at - short.length <= MAX_PART_ENDING) return CALIBRATION.part;
  }
  if (long.length - common > MAX_COUSIN_ENDING || short.length - common > 2) return 0;
  const beginning = INDIC.test(a) ? INDIC_BEGINNING : dictionary ? partLength + 1 : partLength;
  if (common < beginning) return 0;
  return common / long.length >= LEAST_IN_COMMON ? CALIBRATION.cousin : 0;
}
