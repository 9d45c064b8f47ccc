import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SearchKind } from '../indexing/entries';
import type { CorpusBot } from './corpus';

interface WrittenBot {
  name: string;
  locale: string;
  items: { id: string; kind: SearchKind; title: string; body: string }[];
  questions: CorpusBot['questions'];
}

/**
 * Bots of a few items, without synonyms or other phrasings: what an owner has after the first hour. People who did not
 * know how answers are found wrote them with their questions, of which two in five have no answer.
 */
function readBots(file: string): CorpusBot[] {
  const bots = JSON.parse(readFileSync(path.join(__dirname, file), 'utf8')) as WrittenBot[];
  return bots.map(({ items, ...bot }) => ({
    ...bot,
    synonyms: [],
    items: items.map((item) => ({ ...item, phrasings: [] })),
  }));
}

/** The numbers were set with these. */
export const SMALL_BOTS = readBots('small-bots.json');

/** Nobody looked at what is wrong with these while setting numbers or listing words. */
export const UNSEEN_BOTS = readBots('unseen-bots.json');
