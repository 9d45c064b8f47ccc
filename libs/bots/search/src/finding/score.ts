import { CALIBRATION } from './calibration';
import { NUMBER, type Match, type MatchedEntry, type MatchedToken, type Matcher } from './matcher';
import type { Segment } from './question';

/**
 * The share of the segment's weight that the entry covers, and the share of the form's weight that the segment covers.
 */
interface Coverage {
  question: number;
  form: number;
  /** The share of the weight of content words in the form. */
  subject: number;
  /** Total weight of shared content words. */
  shared: number;
}

/** Number of content tokens. */
const SENTENCE = 12;
const FEW_WORDS = 3;

interface WeighedToken {
  weight: number;
  content: boolean;
  matches: readonly Match[];
}

/** The words of a question that one token sequence of an entry contains. */
class Sequence {
  readonly best: number[];
  /** Tokens that match a word of the question or that a phrase needs. */
  readonly hits: { at: number; of: MatchedToken; token: WeighedToken }[] = [];
  readonly whole: { covers: readonly number[]; tokens: readonly number[]; strength: number }[] = [];
  /** Total weight of all tokens; 0 unless the sequence is a form. */
  readonly weight: number = 0;
  /** Total weight of the content tokens. */
  readonly contentWeight: number = 0;
  readonly hasNumber: boolean = false;
  readonly hasNegation: boolean = false;

  constructor(tokens: readonly MatchedToken[], matcher: Matcher, kind: 'faqs' | 'passages', isForm: boolean) {
    this.best = matcher.words.map(() => 0);
    const places = new Map<string, number>();
    let at = -1;
    for (const of of tokens) {
      at++;
      if (isForm) {
        const weight = matcher.weightOfToken(of, kind);
        this.weight += weight;
        if (of.class === 'content') this.contentWeight += weight;
        this.hasNumber ||= NUMBER.test(of.lexemes[0] ?? '');
        this.hasNegation ||= of.class === 'not';
      }
      if (of.matches.length === 0 && !of.isNeeded) continue;
      if (of.isNeeded) for (const lexeme of of.lexemes) if (matcher.needed.has(lexeme)) places.set(lexeme, at);
      const matches = wholeOf(of.matches);
      const weight = matcher.weightOfToken(of, kind);
      this.hits.push({ at, of, token: { weight, content: of.class === 'content', matches } });
      for (const { word, strength } of matches) this.best[word] = Math.max(this.best[word] ?? 0, strength);
    }
    this.addCompounds();
    if (places.size > 0) this.addPhrases(matcher, places);
  }

  /** Share of the matched weight that occurs within the length of a sentence; 1 for a single word. */
  proximity(words: ReadonlySet<number>): number {
    const hits = this.hits.flatMap(({ at, token: { weight, content, matches } }) => {
      const match = content ? matches.find(({ word }) => words.has(word)) : undefined;
      return match ? [{ at, word: match.word, weight }] : [];
    });
    const weights = new Map(hits.map(({ word, weight }) => [word, weight]));
    const all = sum(weights.values());
    let most = 0;
    const within = new Map<number, number>();
    let first = 0;
    let had = 0;
    for (const hit of hits) {
      if (!within.get(hit.word)) had += weights.get(hit.word) ?? 0;
      within.set(hit.word, (within.get(hit.word) ?? 0) + 1);
      for (let old = hits[first]; old && hit.at - old.at >= SENTENCE; old = hits[++first]) {
        const remaining = (within.get(old.word) ?? 0) - 1;
        within.set(old.word, remaining);
        if (remaining === 0) had -= weights.get(old.word) ?? 0;
      }
      most = Math.max(most, had);
    }
    return all === 0 ? 1 : most / all;
  }

  /** A compound in the question matches fully if the sequence contains at least two of its parts. */
  private addCompounds(): void {
    const parts = new Map<number, Set<MatchedToken>>();
    for (const { of, token } of this.hits) {
      for (const { word, isPart } of token.matches) {
        if (isPart) parts.set(word, (parts.get(word) ?? new Set()).add(of));
      }
    }
    for (const [compound, found] of parts) {
      if (found.size < 2) continue;
      this.best[compound] = Math.max(this.best[compound] ?? 0, CALIBRATION.compound);
      for (const { token } of this.hits) {
        token.matches = token.matches.map((match) => {
          return match.isPart && match.word === compound ? { ...match, strength: CALIBRATION.compound } : match;
        });
      }
    }
  }

  /** Adds the phrases that this sequence contains completely. */
  private addPhrases(matcher: Matcher, places: ReadonlyMap<string, number>): void {
    for (const { covers, needs, strength } of matcher.phrases) {
      const tokens = needs.map((lexemes) => lexemes.map((lexeme) => places.get(lexeme)).find((at) => at !== undefined));
      if (tokens.some((at) => at === undefined)) continue;
      this.whole.push({ covers, tokens: tokens.filter((at) => at !== undefined), strength });
    }
  }
}

function factorOf(kind: Segment['kind']): number {
  return kind === 'whole' ? 1 : CALIBRATION[kind];
}

interface WordWeight {
  word: number;
  weight: number;
  isContent: boolean;
}

/** A segment prepared for scoring: its distinct words with their weights. */
interface Part {
  words: ReadonlySet<number>;
  kind: Segment['kind'];
  content: number;
  weights: Readonly<Record<'faqs' | 'passages', readonly WordWeight[]>>;
  hasNegation: boolean;
  /** The segment is short and one of its content words does not occur in the bot. */
  isAboutUnknown: boolean;
}

function partOf({ from, to, kind }: Segment, matcher: Matcher): Part {
  const words = new Set(matcher.wordAt.slice(from, to));
  const classes = [...words].map((word) => matcher.words[word]?.class);
  const content = classes.filter((of) => of === 'content').length;
  const { unknownDecay, unknownFloor } = CALIBRATION;
  const ofUnknown = Math.max(unknownFloor, 1 - unknownDecay * Math.max(0, content - FEW_WORDS));
  const weightsAmong = (entries: 'faqs' | 'passages'): WordWeight[] =>
    Array.from(words, (word) => {
      const weight = matcher.weightOfWord(word, entries) * (matcher.isUnknown(word) ? ofUnknown : 1);
      return { word, weight, isContent: matcher.words[word]?.class === 'content' };
    });
  const isAboutUnknown = content <= FEW_WORDS && [...words].some((word) => matcher.isForeign(word));
  const weights = { faqs: weightsAmong('faqs'), passages: weightsAmong('passages') };
  return { words, kind, content, weights, hasNegation: classes.includes('not'), isAboutUnknown };
}

/** Scores entries for one question, 0 to 1. */
export class Scorer {
  private readonly parts: readonly Part[];

  constructor(
    private readonly matcher: Matcher,
    segments: readonly Segment[],
  ) {
    this.parts = segments.map((segment) => partOf(segment, matcher));
  }

  score(matched: MatchedEntry): number {
    const score = matched.entry.kind === 'faq' ? this.scoreFaq(matched) : this.scorePassage(matched);
    return Math.min(1, Math.max(0, score));
  }

  private scoreFaq({ forms, body }: MatchedEntry): number {
    const answer = new Sequence(body, this.matcher, 'faqs', false);
    const sequences = forms.map((form) => new Sequence(form, this.matcher, 'faqs', true));
    let best = 0;
    for (const part of this.parts) {
      for (const sequence of sequences) {
        const asked = this.cover(sequence, part, 'faqs', answer, CALIBRATION.inAnswer);
        best = Math.max(best, factorOf(part.kind) * this.agreement(asked, sequence, part));
      }
      const [title] = sequences;
      if (title)
        best = Math.max(
          best,
          factorOf(part.kind) * CALIBRATION.answerFactor * this.containment(title, answer, part, 'faqs'),
        );
    }
    return best;
  }

  private scorePassage({ forms, body }: MatchedEntry): number {
    const title = new Sequence(forms[0] ?? [], this.matcher, 'passages', true);
    const passage = new Sequence(body, this.matcher, 'passages', false);
    const scores = this.parts.map((part) => {
      return (
        (part.kind === 'whole' ? 1 : CALIBRATION.passageClause) * this.containment(title, passage, part, 'passages')
      );
    });
    return Math.max(0, ...scores);
  }

  /** How much of the question a text and its title contain. */
  private containment(title: Sequence, text: Sequence, part: Part, kind: 'faqs' | 'passages'): number {
    const coverage = this.cover(title, part, kind, text, CALIBRATION.inPassage);
    const enough = Math.min(1, 0.5 + (0.5 * coverage.shared) / CALIBRATION.leastShared);
    const apart = CALIBRATION.together * (1 - text.proximity(part.words));
    const foreign = part.isAboutUnknown && kind === 'faqs' ? CALIBRATION.substitution * (1 - coverage.question) : 0;
    return (
      coverage.question * (1 - CALIBRATION.titleOfPassage * (1 - coverage.form)) * enough * (1 - apart) * (1 - foreign)
    );
  }

  /**
   * An exact match scores 1. Otherwise the score is mainly the share of the question that the form covers; for a
   * question longer than the form, it is the share of the form that the question covers. Contradictions, such as a
   * different number, reduce it.
   */
  private agreement({ question, form: wanted, subject, shared }: Coverage, form: Sequence, part: Part): number {
    if (question > 0.999 && wanted > 0.999) return 1;
    const { shortExponent, shortFloor, longExponent, longFloor, longShared, longWords } = CALIBRATION;
    const short = question ** shortExponent * (shortFloor + (1 - shortFloor) * wanted);
    const length = Math.min(1, part.content / longWords) * Math.min(1, shared / longShared);
    const long = wanted ** longExponent * (longFloor + (1 - longFloor) * question) * length;
    let factor = Math.min(1, 0.6 + (0.4 * shared) / CALIBRATION.leastShared);
    if (part.hasNegation !== form.hasNegation) factor *= CALIBRATION.negationDiffers;
    if (form.hasNumber && this.hasUnmatchedNumber(part.words, form)) factor *= CALIBRATION.numbersDiffer;
    if (part.isAboutUnknown) factor *= 1 - CALIBRATION.substitution * (1 - Math.min(subject, wanted));
    return Math.max(short, long) * factor;
  }

  private cover(form: Sequence, part: Part, kind: 'faqs' | 'passages', body?: Sequence, bodyStrength = 0): Coverage {
    const { words } = part;
    const phrases = phrasesWithin(form, words);
    const bodyPhrases = body ? phrasesWithin(body, words) : NO_PHRASES;
    let asked = 0;
    let had = 0;
    let shared = 0;
    for (const { word, weight, isContent } of part.weights[kind]) {
      let strength = strengthOf(form, phrases, word);
      if (body && isContent) strength = Math.max(strength, bodyStrength * strengthOf(body, bodyPhrases, word));
      asked += weight;
      had += weight * strength;
      if (isContent || strength < 1) shared += weight * strength;
    }
    let wanted = 0;
    let wantedContent = 0;
    for (const { at, token } of form.hits) {
      const { weight, content, matches } = token;
      let strength = 0;
      for (const match of matches) if (words.has(match.word)) strength = Math.max(strength, match.strength);
      for (const phrase of phrases) if (phrase.tokens.includes(at)) strength = Math.max(strength, phrase.strength);
      wanted += weight * strength;
      if (content) wantedContent += weight * strength;
    }
    return {
      question: asked === 0 ? 0 : had / asked,
      form: form.weight === 0 ? 0 : wanted / form.weight,
      subject: form.contentWeight === 0 ? 0 : wantedContent / form.contentWeight,
      shared,
    };
  }

  private hasUnmatchedNumber(words: ReadonlySet<number>, form: Sequence): boolean {
    for (const word of words) {
      if (NUMBER.test(this.matcher.words[word]?.bare ?? '') && (form.best[word] ?? 0) === 0) return true;
    }
    return false;
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

/** A token matches fully if several words of the question are parts of it. */
function wholeOf(matches: readonly Match[]): readonly Match[] {
  if (matches.filter(({ isPart }) => isPart).length < 2) return matches;
  return matches.map((match) => (match.isPart ? { ...match, strength: CALIBRATION.compound, isPart: false } : match));
}

const NO_PHRASES: Sequence['whole'] = [];

/** The phrases whose words are all in the given set. */
function phrasesWithin({ whole }: Sequence, words: ReadonlySet<number>): Sequence['whole'] {
  if (whole.length === 0) return NO_PHRASES;
  return whole.filter(({ covers }) => covers.every((word) => words.has(word)));
}

function strengthOf(sequence: Sequence, phrases: Sequence['whole'], word: number): number {
  let strength = sequence.best[word] ?? 0;
  for (const phrase of phrases) if (phrase.covers.includes(word)) strength = Math.max(strength, phrase.strength);
  return strength;
}
