import { commonSynonyms, genericWords, hasWords, type Relation } from '../text/common-synonyms';
import type { Language } from '../text/language';
import { isCorrectable, slipsBetween, spellingKeys } from '../text/spelling';
import type { Queryable } from '../text/stemmer';
import { tokensOf, type Token } from '../text/tokens';
import { wordsOf } from '../text/words';

/** A synonym for words of the question. An entry that has all of `needs` covers these words. */
export interface Alternative {
  /** Positions of the covered words in the question. */
  covers: readonly number[];
  /** For each word of the synonym, alternative lexemes; one of them must match. */
  needs: readonly (readonly string[])[];
  source: 'owner' | 'common' | 'related';
  /** A word in the question is misspelled. */
  isMisspelled: boolean;
  /** The match is the last part of a compound: `tarief` in `uurtarief`. */
  isPart: boolean;
}

export type Synonyms = readonly (readonly string[])[];

const MAX_WORDS = 30_000;
const MAX_MEMBER_WORDS = 8;
const MAX_GROUP = 60;
const MAX_SPAN = 10;
const MAX_ALTERNATIVES = 320;
/** With more words than this, misspelled synonyms are not corrected. */
const MAX_WORDS_WITH_SLIPS = 8_000;
/** Size limit of the cache, which is then cleared. */
const MAX_MEANT = 2_000;

type Member = readonly Token[];

interface Known {
  member: Member;
  others: readonly Member[];
  source: Alternative['source'];
}

interface Prepared {
  /** Synonyms by each lexeme of their first word. */
  byBeginning: ReadonlyMap<string, readonly Known[]>;
  /** First words of synonyms by spelling key; empty if there are too many words. */
  spellings: ReadonlyMap<number, readonly string[]>;
  /** Cached corrections of misspelled words. */
  meant: Map<string, string | undefined>;
}

/** Keyed by the array object of the caller, which is prepared once if the caller reuses it. */
const prepared = new WeakMap<Synonyms, Map<string, Promise<Prepared>>>();
const common = new Map<string, Promise<Prepared>>();
const generic = new Map<string, Promise<ReadonlySet<string>>>();

/** Lexemes of generic words, which do not carry the subject of a question. */
export function genericLexemes(from: Queryable, language: Language): Promise<ReadonlySet<string>> {
  return cached(generic, listed(language), async () => {
    const tokens = await tokensOf(from, genericWords(language.code), language);
    return new Set(tokens.flatMap(({ lexemes }) => lexemes));
  });
}

/** Finds synonyms of the words in the question: those of the bot, and the general ones of the language. */
export async function alternativesOf(
  from: Queryable,
  tokens: readonly Token[],
  synonyms: Synonyms,
  language: Language,
): Promise<Alternative[]> {
  const sets = [await ownersOf(from, synonyms, language), await commonOf(from, language)];
  const found: Alternative[] = [];
  for (const set of sets) {
    for (let at = 0; at < tokens.length && found.length < MAX_ALTERNATIVES; at++)
      found.push(...startingAt(tokens, at, set, language));
  }
  return found.slice(0, MAX_ALTERNATIVES);
}

function startingAt(tokens: readonly Token[], at: number, set: Prepared, language: Language): Alternative[] {
  const { byBeginning } = set;
  const first = tokens[at];
  if (!first || byBeginning.size === 0 || first.class === 'stop' || first.class === 'filler') return [];
  let entries = first.lexemes.flatMap((lexeme) => byBeginning.get(lexeme) ?? []);
  let isMisspelled = false;
  let isPart = false;
  if (entries.length === 0 && first.class === 'content' && language.compounds) {
    entries = entriesOfLastPart(first.bare, set, language);
    isPart = entries.length > 0;
  }
  if (entries.length === 0 && first.class === 'content' && isCorrectable(first.bare)) {
    const meant = meantBy(first.bare, set);
    entries = meant === undefined ? [] : [...(byBeginning.get(`=${meant}`) ?? [])];
    isMisspelled = meant !== undefined;
  }
  return entries.flatMap(({ member, others, source }) => {
    const covers = coveredBy(tokens, at, member);
    if (!covers) return [];
    return others.map((other) => ({
      covers,
      needs: other.map(({ lexemes }) => lexemes),
      source,
      isMisspelled,
      isPart,
    }));
  });
}

/** The last part of a compound carries its meaning; the longest known ending is used. */
function entriesOfLastPart(bare: string, { byBeginning }: Prepared, { partLength }: Language): Known[] {
  for (let cut = partLength - 1; cut <= bare.length - partLength; cut++) {
    const entries = byBeginning.get(`=${bare.slice(cut)}`)?.filter(({ member }) => member.length === 1);
    if (entries?.length) return entries;
  }
  return [];
}

/** Finds the known word with an edit distance of 1. */
function meantBy(bare: string, { spellings, meant }: Prepared): string | undefined {
  if (spellings.size === 0) return undefined;
  if (meant.has(bare)) return meant.get(bare);
  if (meant.size >= MAX_MEANT) meant.clear();
  const found = oneSlipFrom(bare, spellings);
  meant.set(bare, found);
  return found;
}

function oneSlipFrom(bare: string, spellings: Prepared['spellings']): string | undefined {
  for (const key of spellingKeys(bare, '')) {
    const word = spellings.get(key)?.find((one) => slipsBetween(bare, one, 1) === 1);
    if (word !== undefined) return word;
  }
  return undefined;
}

function bySpelling(words: Iterable<string>): Map<number, string[]> {
  const spellings = new Map<number, string[]>();
  for (const word of words) {
    for (const key of spellingKeys(word, '')) {
      const having = spellings.get(key);
      if (having) having.push(word);
      else spellings.set(key, [word]);
    }
  }
  return spellings;
}

/** Whether a word may occur inside a phrase without changing its meaning. */
function isBetween(token: Token | undefined): boolean {
  return token !== undefined && token.class !== 'content' && token.class !== 'not';
}

/** Positions of the words of a synonym in the question; function words may occur between them. */
function coveredBy(tokens: readonly Token[], at: number, member: Member): number[] | undefined {
  const covers = [at];
  let next = at + 1;
  for (const wanted of member.slice(1)) {
    const isWanted = (token: Token | undefined) => token?.lexemes.some((lexeme) => wanted.lexemes.includes(lexeme));
    while (next - at <= MAX_SPAN && !isWanted(tokens[next]) && isBetween(tokens[next])) next++;
    if (!isWanted(tokens[next])) return undefined;
    covers.push(next++);
  }
  return covers;
}

function ownersOf(from: Queryable, synonyms: Synonyms, language: Language): Promise<Prepared> {
  const byLanguage = prepared.get(synonyms) ?? new Map<string, Promise<Prepared>>();
  prepared.set(synonyms, byLanguage);
  return cached(byLanguage, language.code, () =>
    prepare(
      from,
      synonyms.map((members) => ({ members, kind: 'same' })),
      language,
      'owner',
    ),
  );
}

function commonOf(from: Queryable, language: Language): Promise<Prepared> {
  return cached(common, listed(language), () => prepare(from, commonSynonyms(language.code), language, 'common'));
}

/** Owners choose locales freely, so all unlisted languages share one cache entry. */
function listed({ code }: Language): string {
  return hasWords(code) ? code : '';
}

/** Caches the result; a failed read is repeated for the next question. */
function cached<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  let reading = known.get(key);
  if (!reading) {
    reading = read();
    known.set(key, reading);
    reading.catch(() => known.delete(key));
  }
  return reading;
}

async function prepare(
  from: Queryable,
  relations: readonly Relation[],
  language: Language,
  source: Alternative['source'],
): Promise<Prepared> {
  let remaining = MAX_WORDS;
  const groups = relations.map(({ members }) =>
    members.slice(0, MAX_GROUP).map((member) => {
      const words = remaining > 0 ? wordsOf(member.slice(0, 200), language, MAX_MEMBER_WORDS) : [];
      remaining -= words.length;
      return words;
    }),
  );
  const distinct = [...new Set(groups.flat(2))];
  const tokens = new Map((await tokensOf(from, distinct, language)).map((token, at) => [distinct[at] ?? '', token]));
  const byBeginning = new Map<string, Known[]>();
  const beginnings = new Set<string>();
  for (const [at, { kind }] of relations.entries()) {
    const group = (groups[at] ?? []).map((member) => meaningful(member.flatMap((word) => tokens.get(word) ?? [])));
    const [head] = group;
    for (const member of group) {
      const first = member[0];
      if (!head || !first) continue;
      if (first.class === 'content' && isCorrectable(first.bare)) beginnings.add(first.bare);
      const others = kind === 'same' || member === head ? group.filter((other) => other !== member) : [head];
      const known: Known = { member, others: others.filter(isNotEmpty), source: kind === 'related' ? kind : source };
      for (const key of [...first.lexemes, `=${first.bare}`]) {
        const entries = byBeginning.get(key);
        if (entries) entries.push(known);
        else byBeginning.set(key, [known]);
      }
    }
  }
  const spellings = bySpelling(beginnings.size <= MAX_WORDS_WITH_SLIPS ? beginnings : []);
  return { byBeginning, spellings, meant: new Map() };
}

const isNotEmpty = (member: Member): boolean => member.length > 0;

function meaningful(tokens: readonly Token[]): Member {
  const telling = tokens.filter(({ class: of }) => of !== 'stop' && of !== 'filler');
  return telling.length > 0 ? telling : tokens;
}
