import { createHash } from 'node:crypto';
import type { Client } from 'pg';

/** A file of SQL functions, or of composite types that only these functions use. */
export interface RepeatableMigration {
  /** Unique within the schema. */
  name: string;
  sql: string;
}

/** Each file may depend on files before it, not on files after it. */
export interface RepeatableSet {
  schema: string;
  repeatable: RepeatableMigration[];
}

/** Names of the files that were applied to a schema, and of the removed files. */
export interface AppliedFunctions {
  schema: string;
  applied: string[];
  removed: string[];
}

interface RecordedMigration {
  name: string;
  checksum: string;
  /** Arguments of DROP, in creation order. */
  objects: string[];
}

/**
 * Makes the functions of the schemas match the given files, in one transaction. Returns the schemas that changed. The
 * caller holds the migration lock.
 */
export async function applyRepeatable(client: Client, sets: readonly RepeatableSet[]): Promise<AppliedFunctions[]> {
  const results: AppliedFunctions[] = [];
  await client.query('BEGIN');
  try {
    for (const set of sets) {
      const recorded = await readRecorded(client, set.schema);
      const changed = set.repeatable.filter((file) => !recorded.some((record) => isSame(record, file)));
      const removed = recorded.filter(({ name }) => !set.repeatable.some((file) => file.name === name)).map(nameOf);
      if (changed.length + removed.length === 0) continue;
      const applied = await replace(client, set, recorded, changed);
      results.push({ schema: set.schema, applied: applied.map(nameOf), removed });
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
  return results;
}

/**
 * Replaces functions in place where PostgreSQL allows it, because concurrent calls fail when their function is dropped.
 * A changed type, return type or parameter name requires dropping all recorded objects and creating all files again.
 */
async function replace(
  client: Client,
  set: RepeatableSet,
  recorded: readonly RecordedMigration[],
  changed: RepeatableMigration[],
): Promise<RepeatableMigration[]> {
  await client.query('SAVEPOINT in_place');
  try {
    await replaceInPlace(client, set, recorded, changed);
    return changed;
  } catch {
    await client.query('ROLLBACK TO SAVEPOINT in_place');
    await dropObjects(client, recorded.flatMap(objectsOf));
    await client.query(`DELETE FROM ${set.schema}.repeatable_migrations`);
    await replaceInPlace(client, set, [], set.repeatable);
    return set.repeatable;
  }
}

/** Creates the changed files, then drops the objects that are recorded but no longer created by any file. */
async function replaceInPlace(
  client: Client,
  { schema, repeatable }: RepeatableSet,
  recorded: readonly RecordedMigration[],
  changed: readonly RepeatableMigration[],
): Promise<void> {
  const unchanged = recorded.filter((record) => repeatable.some((file) => isSame(record, file)));
  const outdated = recorded.filter((record) => !unchanged.includes(record));
  const wanted = new Set(unchanged.flatMap(objectsOf));
  await client.query(`DELETE FROM ${schema}.repeatable_migrations WHERE name = ANY ($1)`, [outdated.map(nameOf)]);
  for (const file of changed) {
    const before = await versionsOf(client, schema);
    await client.query(file.sql);
    const after = await versionsOf(client, schema);
    const objects = [...after.keys()].filter((object) => after.get(object) !== before.get(object));
    await client.query(
      `INSERT INTO ${schema}.repeatable_migrations (name, position, checksum, objects) VALUES ($1, 0, $2, $3)`,
      [file.name, checksumOf(file), objects],
    );
    for (const object of objects) wanted.add(object);
  }
  await dropObjects(
    client,
    outdated.flatMap(objectsOf).filter((object) => !wanted.has(object)),
  );
  await client.query(
    `UPDATE ${schema}.repeatable_migrations SET position = array_position($1::text[], name) WHERE name = ANY ($1)`,
    [repeatable.map(nameOf)],
  );
}

async function dropObjects(client: Client, objects: readonly string[]): Promise<void> {
  for (const object of objects.toReversed()) await client.query(`DROP ${object}`);
}

async function readRecorded(client: Client, schema: string): Promise<RecordedMigration[]> {
  await client.query(`
    CREATE TABLE IF NOT EXISTS ${schema}.repeatable_migrations (
      name text NOT NULL,
      position integer NOT NULL,
      checksum text NOT NULL,
      objects text[] NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT repeatable_migrations_pkey PRIMARY KEY (name)
    )`);
  const { rows } = await client.query<RecordedMigration>(
    `SELECT name, checksum, objects FROM ${schema}.repeatable_migrations ORDER BY position`,
  );
  return rows;
}

/**
 * The functions, standalone types and triggers of a schema: the argument of DROP, types first, and the version of the
 * catalog row, which changes when the object is replaced.
 */
async function versionsOf(client: Client, schema: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ object: string; version: string }>(
    `SELECT 'TYPE IF EXISTS ' || c.reltype::regtype AS object, c.ctid::text AS version, 1 AS rank, c.oid::bigint AS oid
     FROM pg_class AS c WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'c'
     UNION ALL
     SELECT 'ROUTINE IF EXISTS ' || p.oid::regprocedure, p.ctid::text, 2, p.oid::bigint
     FROM pg_proc AS p WHERE p.pronamespace = $1::regnamespace
     UNION ALL
     SELECT format('TRIGGER IF EXISTS %I ON %s', t.tgname, t.tgrelid::regclass), t.ctid::text, 3, t.oid::bigint
     FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
     WHERE c.relnamespace = $1::regnamespace AND NOT t.tgisinternal AND t.tgparentid = 0
     ORDER BY rank, oid`,
    [schema],
  );
  return new Map(rows.map(({ object, version }) => [object, version]));
}

function isSame(record: RecordedMigration, file: RepeatableMigration): boolean {
  return record.name === file.name && record.checksum === checksumOf(file);
}

function checksumOf({ sql }: RepeatableMigration): string {
  return createHash('sha256').update(sql).digest('hex');
}

function nameOf({ name }: { name: string }): string {
  return name;
}

function objectsOf({ objects }: RecordedMigration): string[] {
  return objects;
}
