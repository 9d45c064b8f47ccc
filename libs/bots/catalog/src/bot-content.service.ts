import { Injectable } from '@nestjs/common';
import { given, toPage, type Changed, type Page, type PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { MoreThan, type EntityManager, type FindOptionsSelect } from 'typeorm';
import { lockBot, readBot, type BotKey } from './bot-access';
import { invalid } from './catalog-rules';
import type { ContentKind } from './content/content-kind';
import {
  changedItem,
  insertItems,
  knownItems,
  newItem,
  readItem,
  refuseTaken,
  refuseTooMany,
  updateItems,
  whereOf,
} from './content/items';
import { reindex } from './content/search-index';
import type { LiveItem } from './entities/live-item';

/** The result of a put. */
export interface PutResult<Item> {
  created: Item[];
  changed: Changed<Item>[];
  unchanged: number;
}

/**
 * Writes the content of a bot: FAQs, articles, shortcuts, forms (`FAQS`, `ARTICLES`, `SHORTCUTS`, `FORMS`). The search
 * index is updated in the same transaction. Throws VALIDATION_ERROR for invalid input, and NOT_FOUND for an item that
 * does not exist or belongs to another bot.
 */
@Injectable()
export class BotContentService {
  /** Sorted by creation time, oldest first; without the column that is too long for lists. */
  async list<Item extends LiveItem, Details extends object>(
    manager: EntityManager,
    key: BotKey,
    { entity, unlisted }: ContentKind<Item, Details>,
    page: Page,
  ): Promise<PageOf<Item>> {
    const { id: botId } = await readBot(manager, key);
    const repository = manager.getRepository(entity);
    const columns = repository.metadata.columns.map(({ propertyName }) => propertyName);
    const select = Object.fromEntries(columns.map((column) => [column, column !== unlisted]));
    const rows = await repository.find({
      select: select as FindOptionsSelect<Item>,
      where: whereOf<Item>({ botId, ...(page.after === null ? {} : { id: MoreThan(page.after) }) }),
      order: { id: 'ASC' } as never,
      take: page.limit + 1,
    });
    return toPage(rows, page, ({ id }) => id);
  }

  async read<Item extends LiveItem, Details extends object>(
    manager: EntityManager,
    key: BotKey,
    kind: ContentKind<Item, Details>,
    id: string,
  ): Promise<Item> {
    return readItem(manager, await readBot(manager, key), kind, id);
  }

  /** Throws NAME_TAKEN for a duplicate unique value, LIMIT_REACHED if the bot has the maximum number of items. */
  async create<Item extends LiveItem, Details extends object>(
    transaction: EntityManager,
    key: BotKey,
    kind: ContentKind<Item, Details>,
    details: Details,
  ): Promise<Item> {
    const bot = await lockBot(transaction, key);
    const item = newItem(transaction, bot, kind, details);
    await refuseTaken(transaction, bot, kind, [item]);
    await refuseTooMany(transaction, bot, kind, 1);
    await insertItems(transaction, kind, [item]);
    await reindex(transaction, bot, kind, [item]);
    return item;
  }

  /** Updates the given fields only; the id never changes. Throws NAME_TAKEN for a duplicate unique value. */
  async change<Item extends LiveItem, Details extends object>(
    transaction: EntityManager,
    key: BotKey,
    kind: ContentKind<Item, Details>,
    id: string,
    changes: Partial<Details>,
  ): Promise<Changed<Item>> {
    const bot = await lockBot(transaction, key);
    const before = await readItem(transaction, bot, kind, id);
    const after = changedItem(transaction, kind, before, changes);
    if (!after) return { before, after: before };
    await refuseTaken(transaction, bot, kind, [after]);
    await updateItems(transaction, kind, [after]);
    await reindex(transaction, bot, kind, [after]);
    return { before, after };
  }

  /** Returns the deleted item. */
  async remove<Item extends LiveItem, Details extends object>(
    transaction: EntityManager,
    key: BotKey,
    kind: ContentKind<Item, Details>,
    id: string,
  ): Promise<Item> {
    const bot = await lockBot(transaction, key);
    const item = await readItem(transaction, bot, kind, id);
    await transaction.getRepository(kind.entity).delete(whereOf<Item>({ id: item.id }));
    await reindex(transaction, bot, kind, [{ ...item, isEnabled: false }]);
    return item;
  }

  /**
   * Upserts many items, all or none. An item with a known natural key is updated if it differs; any other item is
   * created and needs the same fields as in `create`. Validation errors name `<place>[<index>]`. Throws as `create`
   * does.
   */
  async put<Item extends LiveItem, Details extends object>(
    transaction: EntityManager,
    key: BotKey,
    kind: ContentKind<Item, Details>,
    list: readonly Partial<Details>[],
    place: string,
  ): Promise<PutResult<Item>> {
    const bot = await lockBot(transaction, key);
    const names = list.map((details, index) => within(`${place}[${index}]`, () => kind.naturalKeyOf(details)));
    refuseRepeats(names, `${place}`, kind.unique[0].field);
    const known = await knownItems(
      transaction,
      bot,
      kind,
      names.filter((name) => name !== undefined),
    );
    const created: Item[] = [];
    const changed: Changed<Item>[] = [];
    list.forEach((details, index) =>
      within(`${place}[${index}]`, () => {
        const before = known.get(names[index] ?? '');
        if (!before) {
          created.push(newItem(transaction, bot, kind, { ...kind.defaults, ...given(details) } as Details));
          return;
        }
        const after = changedItem(transaction, kind, before, details);
        if (after) changed.push({ before, after });
      }),
    );
    const changedTo = changed.map(({ after }) => after);
    const written = [...created, ...changedTo];
    await refuseTaken(transaction, bot, kind, written);
    await refuseTooMany(transaction, bot, kind, created.length);
    await insertItems(transaction, kind, created);
    await updateItems(transaction, kind, changedTo);
    await reindex(transaction, bot, kind, written);
    return { created, changed, unchanged: list.length - written.length };
  }
}

/** Prefixes validation errors with the position of the item. */
function within<T>(place: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (error instanceof AppError) throw new AppError(error.code, `${place}.${error.message}`, { cause: error });
    throw error;
  }
}

function refuseRepeats(names: readonly (string | undefined)[], place: string, field: string): void {
  const seen = new Set<string>();
  names.forEach((name, index) => {
    if (name === undefined) return;
    if (seen.has(name)) throw invalid(`${place}[${index}].${field}`, 'is used twice in the list.');
    seen.add(name);
  });
}
