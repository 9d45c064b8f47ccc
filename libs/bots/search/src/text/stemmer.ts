/** The connection for stemming: a pool, or the client of a transaction. */
export interface Queryable {
  query<Row extends object>(query: { name: string; text: string; values: unknown[] }): Promise<{ rows: Row[] }>;
}

/** The stem of a word; null for a stop word of the dictionary. */
export type Stem = string | null;

const MAX_CACHED = 60_000;
const MAX_CACHED_WORD_LENGTH = 32;
const BATCH = 4_000;
const cache = new Map<string, Stem>();

/**
 * Stems words with a PostgreSQL dictionary. Results are cached in process, so most questions need no round trip; stems
 * do not change while a server runs.
 */
export async function stemsOf(
  from: Queryable,
  dictionary: string,
  words: Iterable<string>,
): Promise<ReadonlyMap<string, Stem>> {
  const stems = new Map<string, Stem>();
  const unknown: string[] = [];
  for (const word of new Set(words)) {
    const stem = cache.get(`${dictionary} ${word}`);
    if (stem === undefined) unknown.push(word);
    else stems.set(word, stem);
  }
  for (let at = 0; at < unknown.length; at += BATCH) {
    const asked = unknown.slice(at, at + BATCH);
    const { rows } = await from.query<{ stems: Stem[] }>({
      name: 'bot-search-stems',
      text: `SELECT array_agg((ts_lexize($1::regdictionary, word))[1] ORDER BY ord) AS stems
             FROM unnest($2::text[]) WITH ORDINALITY AS asked (word, ord)`,
      values: [dictionary, asked],
    });
    asked.forEach((word, index) => {
      const stem = rows[0]?.stems[index] ?? null;
      stems.set(word, stem);
      if (word.length <= MAX_CACHED_WORD_LENGTH) cache.set(`${dictionary} ${word}`, stem);
    });
  }
  forgetOldest();
  return stems;
}

function forgetOldest(): void {
  if (cache.size <= MAX_CACHED) return;
  let surplus = cache.size - MAX_CACHED / 2;
  for (const key of cache.keys()) {
    if (surplus-- <= 0) break;
    cache.delete(key);
  }
}
