import type { Client } from 'pg';

/** A database that grew beyond this size is not reset: its pages stay allocated and slow later tests down. */
const MAX_RESET_BYTES = 4 * 1024 * 1024;
/** The first object id that PostgreSQL assigns to objects of users. */
const FIRST_USER_OID = 16_384;

/** What a database contained when it was created from its template. */
export interface DatabaseState {
  /** Checksum of all definitions, such as tables, functions and triggers. */
  definitions: string;
  /** Checksum of the rows of each table that has rows, by `schema.table`. */
  rows: ReadonlyMap<string, string>;
  /** Last value of each sequence, by `schema.sequence`; null if it has not been used. */
  sequences: ReadonlyMap<string, string | null>;
}

/**
 * Partitions are left out, because services create them when they start and every service needs the same ones. So are
 * privileges, which services grant at their start as well.
 */
const DEFINITIONS = `
  WITH relations AS (
    SELECT c.* FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.oid >= ${FIRST_USER_OID} AND NOT c.relispartition AND n.nspname !~ '^pg_'
  ), entries (entry) AS (
    SELECT concat_ws(' ', 'relation', oid, relnamespace, relname, relkind, relnatts, relpersistence, relrowsecurity,
      reloptions, reltuples) FROM relations
    UNION ALL SELECT concat_ws(' ', 'column', attrelid, attnum, attname, atttypid, atttypmod, attnotnull, attisdropped)
      FROM pg_attribute WHERE attnum > 0 AND attrelid IN (SELECT oid FROM relations)
    UNION ALL SELECT concat_ws(' ', 'default', adrelid, adnum, md5(adbin::text))
      FROM pg_attrdef WHERE adrelid IN (SELECT oid FROM relations)
    UNION ALL SELECT concat_ws(' ', 'constraint', oid, convalidated)
      FROM pg_constraint WHERE conrelid IN (SELECT oid FROM relations)
    UNION ALL SELECT concat_ws(' ', 'trigger', oid, tgenabled)
      FROM pg_trigger WHERE NOT tgisinternal AND tgrelid IN (SELECT oid FROM relations)
    UNION ALL SELECT concat_ws(' ', 'function', oid, md5(prosrc), proconfig) FROM pg_proc WHERE oid >= ${FIRST_USER_OID}
    UNION ALL SELECT concat_ws(' ', 'schema', oid, nspname) FROM pg_namespace WHERE oid >= ${FIRST_USER_OID}
    UNION ALL SELECT concat_ws(' ', 'extension', oid) FROM pg_extension
    UNION ALL SELECT concat_ws(' ', 'statistics', starelid, staattnum) FROM pg_statistic WHERE starelid >= ${FIRST_USER_OID}
  )
  SELECT md5(string_agg(entry, E'\\n' ORDER BY entry)) AS definitions FROM entries`;

export async function stateOf(client: Client): Promise<DatabaseState> {
  const tables = await tablesWithPages(client);
  return {
    definitions: await definitionsOf(client),
    rows: await checksumsOf(client, [...tables.keys()]),
    sequences: await sequencesOf(client),
  };
}

/**
 * Deletes all rows that a database did not contain in its initial state. Returns false if that is not sufficient, because
 * definitions or initial rows have changed or the database has become large.
 */
export async function resetTo(initial: DatabaseState, client: Client): Promise<boolean> {
  if ((await definitionsOf(client)) !== initial.definitions) return false;
  const tables = await tablesWithPages(client);
  if ([...tables.values()].reduce((sum, bytes) => sum + bytes, 0) > MAX_RESET_BYTES) return false;
  const now = await checksumsOf(client, [...initial.rows.keys()]);
  if ([...initial.rows].some(([table, checksum]) => now.get(table) !== checksum)) return false;
  const deletes = [...tables.keys()]
    .filter((table) => !initial.rows.has(table))
    .map((table) => `DELETE FROM ONLY ${table}`);
  const sequences = await sequencesOf(client);
  const restarts = [...initial.sequences]
    .filter(([sequence, value]) => sequences.get(sequence) !== value)
    .map(([sequence, value]) =>
      value === null
        ? `SELECT setval('${sequence}', seqstart, false) FROM pg_sequence WHERE seqrelid = '${sequence}'::regclass`
        : `SELECT setval('${sequence}', ${value})`,
    );
  // Triggers, such as those that protect the ledger, do not run in this role.
  await client.query(
    ['BEGIN', 'SET LOCAL session_replication_role = replica', ...deletes, ...restarts, 'COMMIT'].join(';\n'),
  );
  return true;
}

async function definitionsOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ definitions: string }>(DEFINITIONS);
  return rows[0]!.definitions;
}

/** Returns the tables that contain pages, with their size in bytes. A table without rows can contain pages. */
async function tablesWithPages(client: Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name, pg_relation_size(c.oid) AS bytes
     FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE c.oid >= ${FIRST_USER_OID} AND c.relkind = 'r' AND n.nspname !~ '^pg_' AND pg_relation_size(c.oid) > 0`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

async function checksumsOf(client: Client, tables: readonly string[]): Promise<Map<string, string>> {
  if (tables.length === 0) return new Map();
  const selects = tables.map(
    (table) =>
      `SELECT '${table}' AS name, md5(string_agg(t::text, E'\\n' ORDER BY t::text)) AS checksum FROM ONLY ${table} AS t`,
  );
  const { rows } = await client.query<{ name: string; checksum: string | null }>(selects.join(' UNION ALL '));
  return new Map(rows.flatMap(({ name, checksum }) => (checksum === null ? [] : [[name, checksum]])));
}

async function sequencesOf(client: Client): Promise<Map<string, string | null>> {
  const { rows } = await client.query<{ name: string; value: string | null }>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value AS value FROM pg_sequences`,
  );
  return new Map(rows.map(({ name, value }) => [name, value]));
}
