import { indexItems, unindexItems } from '@heliograph/bot-search';
import { MoreThan, type EntityManager } from 'typeorm';
import { BotArticle } from '../entities/bot-article.entity';
import { BotFaq } from '../entities/bot-faq.entity';
import type { Bot } from '../entities/bot.entity';
import type { LiveItem } from '../entities/live-item';
import { ARTICLES } from './articles';
import type { ContentKind } from './content-kind';
import { FAQS } from './faqs';

/** Articles can be long; this limits how many are in memory at a time. */
const BATCH = 200;

/** Updates the search index for these items: adds enabled and published items, and removes all others. */
export async function reindex<Item extends LiveItem, Details extends object>(
  transaction: EntityManager,
  { id, locale }: Bot,
  { search }: ContentKind<Item, Details>,
  items: readonly Item[],
): Promise<void> {
  if (!search || items.length === 0) return;
  const isLive = ({ isEnabled, isPublished }: Item): boolean => isEnabled && isPublished;
  const live = items.filter(isLive).map((item) => search.itemOf(item));
  const gone = items.filter((item) => !isLive(item)).map((item) => search.itemOf(item).id);
  if (live.length > 0) await indexItems(transaction, { id, locale }, live);
  if (gone.length > 0) await unindexItems(transaction, id, search.kind, gone);
}

/** Rebuilds the index of all content of a bot, in the current language of the bot. */
export async function reindexAll(transaction: EntityManager, bot: Bot): Promise<void> {
  await reindexKind(transaction, bot, FAQS);
  await reindexKind(transaction, bot, ARTICLES);
}

/** Removes all content of a bot from the index. */
export async function unindexAll(transaction: EntityManager, { id: botId }: Bot): Promise<void> {
  const faqs = await transaction.find(BotFaq, { where: { botId }, select: { id: true, publicId: true } });
  const articles = await transaction.find(BotArticle, { where: { botId }, select: { id: true } });
  await unindexItems(
    transaction,
    botId,
    'faq',
    faqs.map(({ publicId }) => publicId),
  );
  await unindexItems(
    transaction,
    botId,
    'knowledge',
    articles.map(({ id }) => id),
  );
}

async function reindexKind<Item extends LiveItem, Details extends object>(
  transaction: EntityManager,
  bot: Bot,
  kind: ContentKind<Item, Details>,
): Promise<void> {
  for (let after: string | undefined; ;) {
    const items = await transaction.getRepository(kind.entity).find({
      where: { botId: bot.id, isEnabled: true, isPublished: true, ...(after ? { id: MoreThan(after) } : {}) } as never,
      order: { id: 'ASC' } as never,
      take: BATCH,
    });
    await reindex(transaction, bot, kind, items);
    after = items.at(-1)?.id;
    if (items.length < BATCH) return;
  }
}
