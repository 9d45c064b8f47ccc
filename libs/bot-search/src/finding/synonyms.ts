import { commonSynonyms } from '../text/common-synonyms';
import type { Language } from '../text/language';
import { isCorrectable, slipsBetween, spellingKeys } from '../text/spelling';
import type { Queryable } from '../text/stemmer';
import { tokensOf, type Token } from '../text/tokens';
import { wordsOf } from '../text/words';

/** Another way to say some of a question's words: an entry that has all of `needs` covers them. */
export interface Alternative {
  /** Places of the words within the question. */
  covers: readonly number[];
  /** For each word of it, the lexemes of which one must be there. */
  needs: readonly (readonly string[])[];
  source: 'owner' | 'common';
  /** The question has one of the words misspelled. */
  isMisspelled: boolean;
}

export type Synonyms = readonly (readonly string[])[];

const MAX_WORDS = 30_000;
const MAX_MEMBER_WORDS = 8;
const MAX_GROUP = 60;
const MAX_SPAN = 10;
const MAX_ALTERNATIVES = 160;
/** With more words than these, slips in synonyms are not looked for. */
const MAX_WORDS_WITH_SLIPS = 2_000;
/** Then they are looked for anew. */
const MAX_MEANT = 2_000;

type Member = readonly Token[];

interface Prepared {
  source: Alternative['source'];
  /** Members of groups by each lexeme that they may begin with. */
  byBeginning: ReadonlyMap<string, readonly { member: Member; group: readonly Member[] }[]>;
  /** First words of members by their spelling keys; empty where there are too many. */
  spellings: ReadonlyMap<number, readonly string[]>;
  /** What words of earlier questions were found to be meant as. */
  meant: Map<string, string | undefined>;
}

/** By the caller's own array: whoever keeps it between questions has it read once. */
const prepared = new WeakMap<Synonyms, Map<string, Promise<Prepared>>>();
const common = new Map<string, Synonyms>();

/** What else the question's words may be called, by the bot's synonyms and by those that hold for nearly any bot. */
export async function alternativesOf(
  from: Queryable,
  tokens: readonly Token[],
  synonyms: Synonyms,
  language: Language,
): Promise<Alternative[]> {
  const everyday = common.get(language.code) ?? commonSynonyms(language.code);
  if (everyday.length > 0) common.set(language.code, everyday);
  const sets = [
    await preparedOf(from, synonyms, language, 'owner'),
    await preparedOf(from, everyday, language, 'common'),
  ];
  const found: Alternative[] = [];
  for (const set of sets) {
    for (let at = 0; at < tokens.length && found.length < MAX_ALTERNATIVES; at++)
      found.push(...startingAt(tokens, at, set));
  }
  return found.slice(0, MAX_ALTERNATIVES);
}

function startingAt(tokens: readonly Token[], at: number, set: Prepared): Alternative[] {
  const { byBeginning, source } = set;
  const first = tokens[at];
  if (!first || byBeginning.size === 0 || first.class === 'stop' || first.class === 'filler') return [];
  let entries = first.lexemes.flatMap((lexeme) => byBeginning.get(lexeme) ?? []);
  let isMisspelled = false;
  if (entries.length === 0 && first.class === 'content' && isCorrectable(first.bare)) {
    const meant = meantBy(first.bare, set);
    entries = meant === undefined ? [] : [...(byBeginning.get(`=${meant}`) ?? [])];
    isMisspelled = meant !== undefined;
  }
  return entries.flatMap(({ member, group }) => {
    const covers = coveredBy(tokens, at, member);
    if (!covers) return [];
    const others = group.filter((other) => other !== member);
    return others.map((other) => ({ covers, needs: other.map(({ lexemes }) => lexemes), source, isMisspelled }));
  });
}

/** The word that a misspelled one is one slip away from. */
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

/** Whether a word may stand within a phrase without changing what it says. */
function isBetween(token: Token | undefined): boolean {
  return token !== undefined && token.class !== 'content' && token.class !== 'not';
}

/** The places of a member's words in the question, which may have words in between that say little. */
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

function preparedOf(
  from: Queryable,
  synonyms: Synonyms,
  language: Language,
  source: Alternative['source'],
): Promise<Prepared> {
  const byLanguage = prepared.get(synonyms) ?? new Map<string, Promise<Prepared>>();
  prepared.set(synonyms, byLanguage);
  let reading = byLanguage.get(language.code);
  if (!reading) {
    reading = prepare(from, synonyms, language, source);
    byLanguage.set(language.code, reading);
    // What failed is tried anew with the next question.
    reading.catch(() => byLanguage.delete(language.code));
  }
  return reading;
}

async function prepare(
  from: Queryable,
  synonyms: Synonyms,
  language: Language,
  source: Alternative['source'],
): Promise<Prepared> {
  let left = MAX_WORDS;
  const groups = synonyms.map((group) =>
    group.slice(0, MAX_GROUP).map((member) => {
      const words = left > 0 ? wordsOf(member.slice(0, 200), language, MAX_MEMBER_WORDS) : [];
      left -= words.length;
      return words;
    }),
  );
  const distinct = [...new Set(groups.flat(2))];
  const tokens = new Map((await tokensOf(from, distinct, language)).map((token, at) => [distinct[at] ?? '', token]));
  const byBeginning = new Map<string, { member: Member; group: readonly Member[] }[]>();
  const beginnings = new Set<string>();
  for (const words of groups) {
    const group = words.map((member) => meaningful(member.flatMap((word) => tokens.get(word) ?? []))).filter(isSome);
    if (group.length < 2) continue;
    for (const member of group) {
      const first = member[0];
      if (!first) continue;
      if (first.class === 'content' && isCorrectable(first.bare)) beginnings.add(first.bare);
      for (const key of [...first.lexemes, `=${first.bare}`]) {
        const entries = byBeginning.get(key) ?? [];
        entries.push({ member, group });
        byBeginning.set(key, entries);
      }
    }
  }
  const spellings = bySpelling(beginnings.size <= MAX_WORDS_WITH_SLIPS ? beginnings : []);
  return { source, byBeginning, spellings, meant: new Map() };
}

const isSome = (member: Member): boolean => member.length > 0;

function meaningful(tokens: readonly Token[]): Member {
  const telling = tokens.filter(({ class: of }) => of !== 'stop' && of !== 'filler');
  return telling.length > 0 ? telling : tokens;
}
