import { AppError, notFound } from '@heliograph/errors';
import {
  MoreThan,
  type DeepPartial,
  type EntityManager,
  type EntityMetadata,
  type EntityTarget,
  type FindOneOptions,
  type FindOptionsOrder,
  type FindOptionsSelect,
  type FindOptionsWhere,
} from 'typeorm';
import { isId, newId } from './ids';
import { toPage, type Page, type PageOf } from './paging';
import { insertNew, saveUnlessTaken } from './unique-values';

/** An entity of an organization with create, update, list and get by id. */
export interface Entry {
  id: string;
}

export interface Changed<E> {
  before: E;
  after: E;
}

/** Selects one row. Without `organizationId` it selects across organizations; only for operator functions. */
export interface EntryKey {
  organizationId?: string;
  id: string;
}

/** Throws NOT_FOUND. */
export async function readEntry<E extends Entry>(
  transaction: EntityManager,
  entity: EntityTarget<E>,
  key: EntryKey,
  lock?: FindOneOptions['lock'],
): Promise<E> {
  const repository = transaction.getRepository(entity);
  const where = whereOf<E>(key);
  const entry = isId(key.id) ? await repository.findOne({ where, ...(lock ? { lock } : {}) }) : null;
  if (entry) return entry;
  throw notFound(nameOf(repository));
}

/**
 * Returns one page, sorted by id, which is the order of creation. `columns` must include the id; default: all columns.
 * Throws VALIDATION_ERROR for an invalid cursor.
 */
export async function readPage<E extends Entry, Column extends keyof E = keyof E>(
  transaction: EntityManager,
  entity: EntityTarget<E>,
  { limit, after }: Page,
  filter: Partial<E>,
  columns?: Readonly<Record<Column, true>>,
): Promise<PageOf<Pick<E, Column>>> {
  if (after !== null && !isId(after)) {
    throw new AppError('VALIDATION_ERROR', 'cursor: must be the nextCursor of the previous page.');
  }
  const rows = await transaction.getRepository(entity).find({
    where: whereOf<E>({ ...given(filter), ...(after === null ? {} : { id: MoreThan(after) }) }),
    order: { id: 'ASC' } as FindOptionsOrder<E>,
    take: limit + 1,
    ...(columns ? { select: columns as FindOptionsSelect<E> } : {}),
  });
  return toPage(rows, { limit, after }, ({ id }) => id);
}

/** `naturalKey` is the public name of the unique field. Throws NAME_TAKEN. */
export async function createEntry<E extends Entry>(
  transaction: EntityManager,
  entity: EntityTarget<E>,
  values: Partial<E>,
  naturalKey = 'name',
): Promise<E> {
  const repository = transaction.getRepository(entity);
  const entry = repository.create({ id: newId(), ...values } as DeepPartial<E>);
  if (await insertNew(repository, entry)) return entry;
  throw taken(nameOf(repository), naturalKey);
}

/**
 * Updates the fields that `changesOf` returns; undefined fields stay unchanged. The row is locked until the transaction
 * ends. Throws NOT_FOUND, NAME_TAKEN.
 */
export async function changeEntry<E extends Entry>(
  transaction: EntityManager,
  entity: EntityTarget<E>,
  key: EntryKey,
  changesOf: (before: E) => Partial<E>,
  naturalKey = 'name',
): Promise<Changed<E>> {
  const repository = transaction.getRepository(entity);
  const before = await readEntry(transaction, entity, key, { mode: 'pessimistic_write' });
  const after = repository.create({ ...before, ...given(changesOf(before)) } as DeepPartial<E>);
  if (await saveUnlessTaken(repository, before, after)) return { before, after };
  throw taken(nameOf(repository), naturalKey);
}

/** Returns the deleted row. Throws NOT_FOUND. */
export async function removeEntry<E extends Entry>(
  transaction: EntityManager,
  entity: EntityTarget<E>,
  key: EntryKey,
): Promise<E> {
  const entry = await readEntry(transaction, entity, key, { mode: 'pessimistic_write' });
  await transaction.getRepository(entity).delete(whereOf<E>({ id: entry.id }));
  return entry;
}

/** Updates the row with this natural key, or creates it. */
export async function putEntry<E extends Entry>(
  transaction: EntityManager,
  entity: EntityTarget<E>,
  naturalKey: Partial<E>,
  valuesOf: (existing: E | null) => Partial<E>,
): Promise<E> {
  const repository = transaction.getRepository(entity);
  let existing = await repository.findOneBy(whereOf<E>(naturalKey));
  if (!existing) {
    const entry = repository.create({ id: newId(), ...naturalKey, ...valuesOf(null) } as DeepPartial<E>);
    if (await insertNew(repository, entry)) return entry;
    existing = await repository.findOneByOrFail(whereOf<E>(naturalKey));
  }
  return repository.save(repository.create({ ...existing, ...naturalKey, ...valuesOf(existing) } as DeepPartial<E>));
}

/** Removes undefined fields. */
export function given<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>;
}

function whereOf<E extends Entry>(conditions: object): FindOptionsWhere<E> {
  return conditions as FindOptionsWhere<E>;
}

function taken(what: string, key: string): AppError {
  const message = `The ${key} is already used by another ${what}. Choose another ${key}, or change the existing ${what}.`;
  return new AppError('NAME_TAKEN', message);
}

/** Example: `EmailSender` becomes `email sender`. */
function nameOf({ metadata }: { metadata: EntityMetadata }): string {
  return metadata.name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
