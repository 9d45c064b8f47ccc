import type { Pool } from 'pg';
import type { SearchKind } from '../indexing/entries';
import { splitTokens } from '../text/tokens';
import type { Lookup } from './question';

/** An entry that shares words with the question. */
export interface Candidate {
  kind: SearchKind;
  id: string;
  passage: number;
  title: string;
  /** Undefined for a long text, which is loaded on demand. */
  text: string | undefined;
  row: number;
  /** Stored tokens of each phrasing of the question, and of the answer or passage. */
  forms: readonly (readonly string[])[];
  body: readonly string[];
}

/** A possible correction of a word in the question. */
export interface Meant {
  owner: number;
  word: string;
  lexemes: readonly string[];
}

/** Document frequencies in FAQs and in passages. */
export interface Frequency {
  faqs: number;
  passages: number;
}

export interface Candidates {
  all: Frequency;
  frequencies: ReadonlyMap<string, Frequency>;
  meant: readonly Meant[];
  entries: readonly Candidate[];
}

interface Row {
  part: 'b' | 'l' | 'w' | 'e';
  kind: string | null;
  name: string | null;
  title: string | null;
  answer: string | null;
  /** One phrasing per line. */
  forms: string | null;
  body: string | null;
  n1: string | number | null;
  n2: string | number | null;
}

// Lexemes contain no spaces, and parsing strings is much cheaper than parsing arrays on both sides.
const FIND = `SELECT * FROM bot_search.find($1, string_to_array($2, ' '), $3, $4, string_to_array($5, ' '),
                                            string_to_array($6, ' '), string_to_array($7, ' '), $8, $9)`;

/** An array literal of PostgreSQL. */
const numbers = (of: readonly number[]): string => `{${of.join(',')}}`;

/** Calls `bot_search.find`; undefined if the bot has no indexed content. */
export async function findCandidates(pool: Pool, botId: string, lookup: Lookup): Promise<Candidates | undefined> {
  const { rows } = await pool.query<Row>({
    name: 'bot-search-find',
    text: FIND,
    values: [
      botId,
      lookup.terms.join(' '),
      numbers(lookup.bases),
      numbers(lookup.owners),
      lookup.beginnings.join(' '),
      lookup.endings.join(' '),
      lookup.keySets.join(' '),
      numbers(lookup.keyOwners),
      numbers(lookup.keyLengths),
    ],
  });
  const bot = rows.find(({ part }) => part === 'b');
  if (!bot) return undefined;
  const frequencies = new Map<string, Frequency>();
  const meant: Meant[] = [];
  const entries: Candidate[] = [];
  for (const row of rows) {
    if (row.part === 'e') entries.push(entryOf(row));
    for (const line of row.part === 'l' ? linesOf(row.forms) : []) {
      const [lexeme = '', faqs, passages] = line.split(' ');
      frequencies.set(lexeme, { faqs: Number(faqs), passages: Number(passages) });
    }
    for (const line of row.part === 'w' ? linesOf(row.forms) : []) {
      const [owner, , word = '', lexemes = ''] = line.split(' ');
      meant.push({ owner: Number(owner), word, lexemes: lexemes.split('/') });
    }
  }
  return { all: { faqs: Number(bot.n1), passages: Number(bot.n2) }, frequencies, meant, entries };
}

function linesOf(text: string | null): string[] {
  return text === null || text === '' ? [] : text.split('\n');
}

function entryOf({ kind, name, title, answer, forms, body, n1, n2 }: Row): Candidate {
  return {
    kind: kind === 'f' ? 'faq' : 'knowledge',
    id: name ?? '',
    passage: Number(n1),
    title: title ?? '',
    text: answer ?? undefined,
    row: Number(n2),
    forms: (forms ?? '').split('\n').map(splitTokens),
    body: splitTokens(body ?? ''),
  };
}

/** Returns texts of entries by row id; entries deleted in the meantime are missing. */
export async function textsOf(pool: Pool, rows: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (rows.length === 0) return new Map();
  const { rows: found } = await pool.query<{ id: string | number; text: string }>({
    name: 'bot-search-texts',
    text: 'SELECT id, text FROM bot_search.entries WHERE id = ANY ($1::bigint[])',
    values: [rows],
  });
  return new Map(found.map(({ id, text }) => [Number(id), text]));
}
