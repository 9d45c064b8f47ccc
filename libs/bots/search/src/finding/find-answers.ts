import type { Pool } from 'pg';
import type { SearchKind } from '../indexing/entries';
import { languageOf, type Language } from '../text/language';
import { findCandidates, textsOf, type Candidate, type Candidates } from './candidates';
import { Matcher } from './matcher';
import { lookupOf, readQuestion, type Question, type ReadQuestion } from './question';
import { Scorer } from './score';

/** A candidate answer. */
export interface Finding {
  kind: SearchKind;
  id: string;
  title: string;
  /** The complete answer of an FAQ, or the passage of an article. */
  text: string;
  /** Index of the passage in the article, from 0. */
  passage: number;
  /** 0 to 1. */
  score: number;
}

export interface Found {
  faqs: Finding[];
  knowledge: Finding[];
}

interface Scored {
  entry: Candidate;
  score: number;
}

export interface Ranked {
  faqs: Scored[];
  knowledge: Scored[];
}

const MAX_FAQS = 8;
const MAX_PASSAGES = 5;
const LEAST_SCORE = 0.12;

/**
 * Returns scored candidates for a question, best first. Examines a bounded number of entries of the bot, in one round
 * trip if all stems of the question are cached. Throws only database errors.
 */
export async function findAnswers(pool: Pool, question: Question): Promise<Found> {
  const language = languageOf(question.locale);
  const read = await readQuestion(pool, question, language);
  const lookup = lookupOf(read, question.botId, language);
  const candidates = lookup && (await findCandidates(pool, question.botId, lookup));
  if (!candidates) return { faqs: [], knowledge: [] };
  const { faqs, knowledge } = rank(read, candidates, language);
  const long = [...faqs, ...knowledge].filter(({ entry }) => entry.text === undefined).map(({ entry }) => entry.row);
  const texts = await textsOf(pool, long);
  const toFindings = (of: readonly Scored[]): Finding[] =>
    of.flatMap(({ entry, score }) => findingOf(entry, score, texts));
  return { faqs: toFindings(faqs), knowledge: toFindings(knowledge) };
}

/** Candidates with a score above 0, best first. */
export function rank(read: ReadQuestion, candidates: Candidates, language: Language): Ranked {
  const matcher = new Matcher(read, candidates, language);
  const scorer = new Scorer(matcher, read.segments);
  const scored = matcher.entries
    .map((matched) => ({ entry: matched.entry, score: scorer.score(matched) }))
    .filter(({ score }) => score >= LEAST_SCORE)
    .sort((a, b) => b.score - a.score || a.entry.row - b.entry.row);
  return {
    faqs: scored.filter(({ entry }) => entry.kind === 'faq').slice(0, MAX_FAQS),
    knowledge: scored.filter(({ entry }) => entry.kind === 'knowledge').slice(0, MAX_PASSAGES),
  };
}

function findingOf(
  { kind, id, title, text, row, passage }: Candidate,
  score: number,
  texts: ReadonlyMap<number, string>,
): Finding[] {
  const whole = text ?? texts.get(row);
  return whole === undefined ? [] : [{ kind, id, title, text: whole, passage, score }];
}
