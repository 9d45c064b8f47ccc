import { AppError } from '@heliograph/errors';
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
import { isUniqueViolation } from './transactions';

/** A row that an organization manages: made, changed, listed and read by its id. */
export interface Entry {
  id: string;
}

export interface Changed<E> {
  before: E;
  after: E;
}

/** Which entry is meant. Without an organization it is anybody's: for the platform operator alone. */
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
  throw new AppError('NOT_FOUND', `There is no such ${nameOf(repository)}.`);
}

/**
 * One page in the order of the ids, which is that of making; of the given columns, which must hold the id, or of all.
 * Throws VALIDATION_ERROR for a cursor that is none.
 */
export async function readPage<E extends Entry, Column extends keyof E = keyof E>(
  transaction: EntityManager,
  entity: EntityTarget<E>,
  { limit, after }: Page,
  filter: Partial<E>,
  columns?: Readonly<Record<Column, true>>,
): Promise<PageOf<Pick<E, Column>>> {
  if (after !== null && !isId(after)) {
    throw new AppError('VALIDATION_ERROR', 'cursor: must be the one that came with the page before.');
  }
  const rows = await transaction.getRepository(entity).find({
    where: whereOf<E>({ ...given(filter), ...(after === null ? {} : { id: MoreThan(after) }) }),
    order: { id: 'ASC' } as FindOptionsOrder<E>,
    take: limit + 1,
    ...(columns ? { select: columns as FindOptionsSelect<E> } : {}),
  });
  return toPage(rows, { limit, after }, ({ id }) => id);
}

/** `naturalKey` is what people call the value that must be unique. Throws NAME_TAKEN. */
export async function createEntry<E extends Entry>(
  transaction: EntityManager,
  entity: EntityTarget<E>,
  values: Partial<E>,
  naturalKey = 'name',
): Promise<E> {
  const repository = transaction.getRepository(entity);
  const entry = repository.create({ id: newId(), ...values } as DeepPartial<E>);
  return refuseTaken(nameOf(repository), naturalKey, () => repository.save(entry));
}

/** What `changesOf` leaves undefined stays. The row is locked until the transaction ends. Throws NOT_FOUND, NAME_TAKEN. */
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
  return { before, after: await refuseTaken(nameOf(repository), naturalKey, () => repository.save(after)) };
}

/** Answers what was there. Throws NOT_FOUND. */
export async function removeEntry<E extends Entry>(
  transaction: EntityManager,
  entity: EntityTarget<E>,
  key: EntryKey,
): Promise<E> {
  const entry = await readEntry(transaction, entity, key, { mode: 'pessimistic_write' });
  await transaction.getRepository(entity).delete(whereOf<E>({ id: entry.id }));
  return entry;
}

/** Found by its natural key: there, it is updated; not there, it is made. */
export async function putEntry<E extends Entry>(
  transaction: EntityManager,
  entity: EntityTarget<E>,
  naturalKey: Partial<E>,
  valuesOf: (existing: E | null) => Partial<E>,
): Promise<E> {
  const repository = transaction.getRepository(entity);
  const existing = await repository.findOneBy(whereOf<E>(naturalKey));
  const values = { ...(existing ?? { id: newId() }), ...naturalKey, ...valuesOf(existing) };
  return repository.save(repository.create(values as DeepPartial<E>));
}

/** Without what is undefined. */
export function given<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>;
}

function whereOf<E extends Entry>(conditions: object): FindOptionsWhere<E> {
  return conditions as FindOptionsWhere<E>;
}

async function refuseTaken<T>(what: string, key: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError(
      'NAME_TAKEN',
      `There is a ${what} of this ${key} already. Choose another ${key}, or change that one.`,
      { cause: error },
    );
  }
}

/** `EmailSender` is an email sender. */
function nameOf({ metadata }: { metadata: EntityMetadata }): string {
  return metadata.name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
