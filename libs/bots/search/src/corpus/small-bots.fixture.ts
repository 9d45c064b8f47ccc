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
 * Bots with few items, without synonyms or other phrasings, as created in the first hour. Authors who did not know the
 * search algorithm wrote them with their questions, of which two in five have no answer.
 */
function readBots(file: string): CorpusBot[] {
  const bots = JSON.parse(readFileSync(path.join(__dirname, file), 'utf8')) as WrittenBot[];
  return bots.map(({ items, ...bot }) => ({
    ...bot,
    synonyms: [],
    items: items.map((item) => ({ ...item, phrasings: [] })),
  }));
}

/** These bots were used to tune the constants. */
export const SMALL_BOTS = readBots('small-bots.json');

/** The wrong answers of these bots were not used to tune constants or word lists. */
export const UNSEEN_BOTS = readBots('unseen-bots.json');
