import type { SearchItem } from '../indexing/entries';

/** A bot as its owner would fill it, and what visitors ask it. */
export interface CorpusBot {
  name: string;
  locale: string;
  synonyms: string[][];
  items: SearchItem[];
  /** What was asked, and the id of what answers it, or of each that does; null where the bot has no answer. */
  questions: [string, string | string[] | null][];
}

/** Items in short: FAQs as id, question, answer and other phrasings; articles as id, title and text. */
export function itemsOf(
  faqs: [string, string, string, ...string[]][],
  articles: [string, string, string][],
): SearchItem[] {
  return [
    ...faqs.map(([id, title, body, ...phrasings]): SearchItem => ({ kind: 'faq', id, title, phrasings, body })),
    ...articles.map(([id, title, body]): SearchItem => ({ kind: 'knowledge', id, title, phrasings: [], body })),
  ];
}
