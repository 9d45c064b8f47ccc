import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import type { MigrationSet } from './migration-set';

/** A migration that is not the one that was applied. The message names it. */
export class ChangedMigrationError extends Error {}

/**
 * Throws a ChangedMigrationError if the statements of an applied migration differ from those that were applied. Applied
 * migrations without a checksum, those of earlier releases, get one. The caller holds the migration lock.
 */
export async function checkApplied(client: Client, { schema, migrations }: MigrationSet): Promise<void> {
  await client.query(`
    CREATE TABLE IF NOT EXISTS ${schema}.migration_checksums (
      name text NOT NULL,
      checksum text NOT NULL,
      recorded_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT migration_checksums_pkey PRIMARY KEY (name)
    )`);
  const applied = await appliedNames(client, schema);
  // A reverted migration may be applied again with another text.
  await client.query(`DELETE FROM ${schema}.migration_checksums WHERE name <> ALL ($1)`, [[...applied]]);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT name, checksum FROM ${schema}.migration_checksums`,
  );
  const recorded = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const changed: string[] = [];
  for (const Migration of migrations) {
    const { name } = Migration;
    if (!applied.has(name)) continue;
    const checksum = await checksumOf(Migration);
    const known = recorded.get(name);
    if (known === undefined) {
      await client.query(`INSERT INTO ${schema}.migration_checksums (name, checksum) VALUES ($1, $2)`, [
        name,
        checksum,
      ]);
    } else if (known !== checksum) changed.push(`${schema}.${name}`);
  }
  if (changed.length > 0) {
    throw new ChangedMigrationError(
      `${changed.join(', ')}: the migration was changed after it was applied to this database. ` +
        'Deploy the release with its former text, and put the change into a new migration.',
    );
  }
}

async function appliedNames(client: Client, schema: string): Promise<Set<string>> {
  const { rows: tables } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
    `${schema}.migrations`,
  ]);
  if (!tables[0]?.exists) return new Set();
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${schema}.migrations`);
  return new Set(rows.map(({ name }) => name));
}

/** The statements of a migration, which contain their conditions in SQL, so that they do not depend on the database. */
export async function statementsOf(Migration: MigrationSet['migrations'][number]): Promise<string> {
  const statements: unknown[] = [];
  const recorder = {
    query: (...statement: unknown[]) => {
      statements.push(statement);
      return Promise.resolve([]);
    },
  };
  await new Migration().up(recorder as unknown as QueryRunner);
  return JSON.stringify(statements);
}

async function checksumOf(Migration: MigrationSet['migrations'][number]): Promise<string> {
  return createHash('sha256')
    .update(await statementsOf(Migration))
    .digest('hex');
}
