import { isDeepStrictEqual } from 'node:util';
import { given, isId, newId } from '@heliograph/database';
import { AppError, notFound } from '@heliograph/errors';
import { Any, type DeepPartial, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { newPublicId } from '../catalog-rules';
import type { Bot } from '../entities/bot.entity';
import type { LiveItem } from '../entities/live-item';
import type { ContentKind } from './content-kind';

/** Rows per statement: PostgreSQL accepts 65,535 parameters. */
const BATCH = 500;

/** Throws NOT_FOUND. */
export async function readItem<Item extends LiveItem, Details extends object>(
  manager: EntityManager,
  { id: botId }: Bot,
  { entity, idField, name }: ContentKind<Item, Details>,
  id: string,
): Promise<Item> {
  const canBe = idField === 'id' ? isId(id) : !id.includes('\0');
  const where = whereOf<Item>({ botId, [idField]: id });
  const item = canBe ? await manager.getRepository(entity).findOneBy(where) : null;
  if (item) return item;
  throw notFound(name);
}

/** Returns the existing items with the natural keys of the list. */
export async function knownItems<Item extends LiveItem, Details extends object>(
  transaction: EntityManager,
  { id: botId }: Bot,
  { entity, unique: [{ column }] }: ContentKind<Item, Details>,
  names: readonly string[],
): Promise<Map<string, Item>> {
  if (names.length === 0) return new Map();
  const where = whereOf<Item>({ botId, [column]: Any([...names]) });
  const items = await transaction.getRepository(entity).findBy(where);
  return new Map(items.map((item) => [valueIn(item, column), item]));
}

/** Returns an item that is not stored yet. */
export function newItem<Item extends LiveItem, Details extends object>(
  transaction: EntityManager,
  { id: botId, organizationId }: Bot,
  { entity, idField, idPrefix, valuesOf }: ContentKind<Item, Details>,
  details: Details,
): Item {
  const at = new Date();
  return transaction.getRepository(entity).create({
    id: newId(),
    organizationId,
    botId,
    ...(idField === 'publicId' ? { publicId: newPublicId(idPrefix) } : {}),
    ...valuesOf(details),
    createdAt: at,
    updatedAt: at,
  } as unknown as DeepPartial<Item>);
}

/** Returns the item with the changes and its existing id; null if nothing changes. */
export function changedItem<Item extends LiveItem, Details extends object>(
  transaction: EntityManager,
  { entity, idField, valuesOf, detailsOf }: ContentKind<Item, Details>,
  before: Item,
  changes: Partial<Details>,
): Item | null {
  const same = detailsOf(before);
  const id = idField === 'publicId' && 'id' in same ? { id: same.id } : {};
  const values = valuesOf({ ...same, ...given(changes), ...id });
  const differs = Object.entries(values).some(
    ([column, value]) => !isDeepStrictEqual(value, (before as unknown as Record<string, unknown>)[column]),
  );
  if (!differs) return null;
  const after = { ...before, ...values, updatedAt: new Date() };
  return transaction.getRepository(entity).create(after as unknown as DeepPartial<Item>);
}

/** Throws NAME_TAKEN if another item of the bot or of the list has the same unique value. */
export async function refuseTaken<Item extends LiveItem, Details extends object>(
  transaction: EntityManager,
  { id: botId }: Bot,
  { entity, name, unique }: ContentKind<Item, Details>,
  items: readonly Item[],
): Promise<void> {
  if (items.length === 0) return;
  for (const { column, field } of unique) {
    const owners = new Map<string, string>();
    for (const item of items) {
      const value = valueIn(item, column);
      if (owners.has(value)) throw taken(name, field, value);
      owners.set(value, item.id);
    }
    const there = await transaction.getRepository(entity).find({
      select: { id: true, [column]: true } as never,
      where: whereOf<Item>({ botId, [column]: Any([...owners.keys()]) }),
    });
    const other = there.find((item) => owners.get(valueIn(item, column)) !== item.id);
    if (other) throw taken(name, field, valueIn(other, column));
  }
}

/** Throws LIMIT_REACHED if the bot would exceed the maximum number of items. */
export async function refuseTooMany<Item extends LiveItem, Details extends object>(
  transaction: EntityManager,
  { id: botId }: Bot,
  { entity, name, most: max }: ContentKind<Item, Details>,
  added: number,
): Promise<void> {
  if (added === 0) return;
  const count = await transaction.getRepository(entity).countBy(whereOf<Item>({ botId }));
  if (count + added <= max) return;
  throw new AppError(
    'LIMIT_REACHED',
    `A bot can have at most ${max} ${name}s, and this bot already has ${count}. Remove some of them first.`,
  );
}

export async function insertItems<Item extends LiveItem, Details extends object>(
  transaction: EntityManager,
  { entity }: ContentKind<Item, Details>,
  items: readonly Item[],
): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH) {
    await transaction.getRepository(entity).insert(items.slice(start, start + BATCH) as never);
  }
}

export async function updateItems<Item extends LiveItem, Details extends object>(
  transaction: EntityManager,
  { entity }: ContentKind<Item, Details>,
  items: readonly Item[],
): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH) {
    await transaction.getRepository(entity).upsert(items.slice(start, start + BATCH) as never, ['id']);
  }
}

export function whereOf<Item extends LiveItem>(conditions: object): FindOptionsWhere<Item> {
  return conditions as FindOptionsWhere<Item>;
}

function valueIn(item: LiveItem, column: string): string {
  return String((item as unknown as Record<string, unknown>)[column]);
}

function taken(name: string, field: string, value: string): AppError {
  const shown = value.slice(0, 100);
  return new AppError(
    'NAME_TAKEN',
    `The ${field} ${shown} is already used by another ${name}. Choose another ${field}.`,
  );
}
