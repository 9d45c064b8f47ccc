import { clientOf } from '@heliograph/database';
import { toStorableText } from '@heliograph/service-kit';
import type { EntityManager } from 'typeorm';
import { languageOf } from '../text/language';
import { spellingKeys } from '../text/spelling';
import { entriesOf, type EntryRow, type SearchItem, type SearchKind } from './entries';

/** Rows per call of the SQL functions, so that no call with long articles is too large to parse. */
const MAX_ROWS = 500;

/**
 * Replaces the index entries of these items in the caller's transaction. Writers of one bot wait for each other until
 * the transaction ends, so a transaction that writes several bots should lock them in the order of their ids to avoid
 * deadlocks. Throws database errors, such as for a bot id that is not a UUID.
 */
export async function indexItems(
  transaction: EntityManager,
  bot: { id: string; locale: string },
  items: readonly SearchItem[],
): Promise<void> {
  if (items.length === 0) return;
  const client = await clientOf(transaction);
  // If an id occurs twice, the last item wins, as in two calls.
  const latest = [...new Map(items.map((item) => [`${item.kind} ${item.id}`, item])).values()];
  const { rows, lexemesOf } = await entriesOf(client, latest, languageOf(bot.locale));
  for (const kind of ['faq', 'knowledge'] as const) {
    const ids = latest.filter((item) => item.kind === kind).map(({ id }) => id);
    if (ids.length > 0) await unindexItems(transaction, bot.id, kind, ids);
  }
  for (let at = 0; at < rows.length; at += MAX_ROWS) {
    const batch = rows.slice(at, at + MAX_ROWS).map(storable);
    const words = [...new Set(batch.flatMap((row) => row.words))].map((word) => ({
      word,
      lexemes: lexemesOf.get(word) ?? [],
      keys: spellingKeys(word, bot.id),
    }));
    await client.query({
      name: 'bot-search-put',
      text: 'SELECT bot_search.put($1, $2, $3)',
      values: [bot.id, JSON.stringify(batch), JSON.stringify(words)],
    });
  }
}

/** Removes items from the index in the caller's transaction; ignores unknown items. */
export async function unindexItems(
  transaction: EntityManager,
  botId: string,
  kind: SearchKind,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await (
    await clientOf(transaction)
  ).query({
    name: 'bot-search-remove',
    text: 'SELECT bot_search.remove($1, $2, $3)',
    values: [botId, kind === 'faq' ? 'f' : 'k', ids],
  });
}

function storable(row: EntryRow): EntryRow {
  return { ...row, title: toStorableText(row.title), text: toStorableText(row.text) };
}
