import { Not, type FindOptionsWhere, type Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity';

interface WithId {
  id: string;
}

/** The values of an entity in the columns of a unique index. */
interface UniqueKey {
  index: string;
  values: Record<string, unknown>;
}

/**
 * Inserts the entity and sets the columns that the database generates. False if a unique constraint prevents it. Unlike
 * an error, this writes no values to the log of the server, and the transaction can go on.
 */
export async function insertNew<E extends WithId>(repository: Repository<E>, entity: E): Promise<boolean> {
  await lock(repository, keysOf(repository, entity));
  const insert = repository
    .createQueryBuilder()
    .insert()
    .values(entity as QueryDeepPartialEntity<E>);
  const { raw } = await insert.orIgnore().returning(['id']).execute();
  return Array.isArray(raw) && raw.length > 0;
}

/**
 * Updates the entity, whose row must be locked. False, like `insertNew`, if another row has the new value of a unique
 * index. Partial indexes are not checked.
 */
export async function saveUnlessTaken<E extends WithId>(
  repository: Repository<E>,
  before: E,
  after: E,
): Promise<boolean> {
  const previous = new Set(keysOf(repository, before).map(lockNameOf));
  const changed = keysOf(repository, after).filter((key) => !previous.has(lockNameOf(key)));
  await lock(repository, changed);
  for (const { values } of changed) {
    const others = { ...values, id: Not(after.id) } as FindOptionsWhere<E>;
    if (await repository.existsBy(others)) return false;
  }
  await repository.save(after);
  return true;
}

/** Null is unequal to null in a unique index. */
function keysOf<E extends WithId>({ metadata }: Repository<E>, entity: E): UniqueKey[] {
  const indexes = [
    ...metadata.indices.filter(({ isUnique, where }) => isUnique && where === undefined),
    ...metadata.uniques,
  ];
  return indexes
    .map(({ name, columns }) => ({
      index: `${metadata.tablePath}.${name}`,
      values: Object.fromEntries(
        columns.map((column) => [column.propertyName, column.getEntityValue(entity) as unknown]),
      ),
    }))
    .filter(({ values }) => Object.values(values).every((value) => value !== null && value !== undefined));
}

/**
 * Writes of a value wait for each other until their transactions end. Therefore an update finds the rows that have the
 * value, before PostgreSQL reports them.
 */
async function lock<E extends WithId>({ manager }: Repository<E>, keys: readonly UniqueKey[]): Promise<void> {
  if (keys.length === 0) return;
  await manager.query('SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest($1::text[]) AS name', [
    keys.map(lockNameOf).sort(),
  ]);
}

function lockNameOf({ index, values }: UniqueKey): string {
  return `${index} ${JSON.stringify(values)}`;
}
