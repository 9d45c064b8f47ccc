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

/** What came of a put. */
export interface PutResult<Item> {
  created: Item[];
  changed: Changed<Item>[];
  unchanged: number;
}

/**
 * Writes what a bot knows and shows: FAQs, articles, shortcuts, forms (`FAQS`, `ARTICLES`, `SHORTCUTS`, `FORMS`). What
 * the bot finds follows in the same transaction. Throws VALIDATION_ERROR for what breaks a rule, and NOT_FOUND for what
 * is not there or is another bot's.
 */
@Injectable()
export class BotContentService {
  /** In the order of their making; without the column that is too long for lists. */
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

  /** Throws NAME_TAKEN for what must be unique, LIMIT_REACHED when the bot has as many as it may. */
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

  /** What is not given stays, and so does the id. Throws NAME_TAKEN for what must be unique. */
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

  /** Answers what was there. */
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
   * Many at once, all or none: what is there by its natural key is changed where it differs, what is not is made, and
   * then needs what `create` needs. What is wrong with one is told of `<place>[<index>]`. Throws as `create` does.
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

/** Tells of what is wrong where it is. */
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
