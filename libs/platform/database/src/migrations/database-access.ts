import { createHmac, createHash, pbkdf2Sync, randomBytes } from 'node:crypto';
import { Client } from 'pg';

export type TablePrivilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE';

/**
 * Privileges by `schema.table`, by `schema.*` for all tables of a schema, or by `schema.table(column, column)` for some
 * columns. TRUNCATE on a table with weekly partitions also allows creating and dropping its partitions.
 */
export type TableAccess = Readonly<Record<string, readonly TablePrivilege[]>>;

/** The privileges of one service in the database. Everything that is not listed is denied. */
export interface DatabaseAccess {
  /** The PostgreSQL role of the service. */
  role: string;
  tables: TableAccess;
  /** `schema.sequence` */
  sequences?: readonly string[];
  /** Schemas whose functions the service calls. A function has the privileges of its caller. */
  functions?: readonly string[];
}

/** The login that a service uses: the user and the password of its connection URL. */
export interface ServiceLogin {
  user: string;
  /** Empty if the server identifies the user in another way. */
  password: string;
}

// Any constant works, but it must be the same in all processes of all versions.
export const MIGRATION_LOCK = 7_236_100_417;
const SCRAM_ITERATIONS = 4_096;
const ROLE_EXISTS = new Set(['42710', '23505']);

export const READ: readonly TablePrivilege[] = ['SELECT'];
/** Privileges for tables whose rows are never updated or deleted. */
export const APPEND: readonly TablePrivilege[] = ['SELECT', 'INSERT'];
export const WRITE: readonly TablePrivilege[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
/** Reads and writes a table with weekly partitions, and maintains its partitions. */
export const MAINTAIN: readonly TablePrivilege[] = [...WRITE, 'TRUNCATE'];

/**
 * Makes the privileges of the role of a service match `access`, in one transaction; creates the role if necessary.
 * Rejects if a listed table does not exist. The caller owns the tables and may create
 * roles. Waits for migrations that run concurrently.
 */
export async function applyAccess(client: Client, access: DatabaseAccess): Promise<void> {
  await createRole(client, access.role);
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const wanted = await wantedPrivileges(client, access);
    const present = await presentPrivileges(client, access.role);
    for (const privilege of present)
      if (!wanted.has(privilege)) await client.query(`REVOKE ${privilege} FROM ${access.role}`);
    for (const privilege of wanted)
      if (!present.has(privilege)) await client.query(`GRANT ${privilege} TO ${access.role}`);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/**
 * Creates the login of a service, or changes its password, and gives it the privileges of `role`. The password reaches
 * the server as a SCRAM verifier only, so that it is in no log. Without a password, the login keeps the one that it has.
 */
export async function applyLogin(client: Client, role: string, { user, password }: ServiceLogin): Promise<void> {
  await createRole(client, user);
  const name = client.escapeIdentifier(user);
  const verifier = password === '' ? '' : ` PASSWORD ${client.escapeLiteral(scramVerifier(password))}`;
  await client.query(`ALTER ROLE ${name} LOGIN${verifier}`);
  if (user !== role) await client.query(`GRANT ${role} TO ${name}`);
}

/** True if the user of a connection URL may create the roles of services. */
export async function mayCreateRoles(databaseUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      'SELECT FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolcreaterole)',
    );
    return rowCount === 1;
  } finally {
    await client.end();
  }
}

/** Roles belong to the server and not to one database, so another migration may create the role at the same time. */
async function createRole(client: Client, name: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
  if (rowCount) return;
  try {
    await client.query(`CREATE ROLE ${client.escapeIdentifier(name)} NOLOGIN`);
  } catch (error) {
    if (!ROLE_EXISTS.has((error as { code?: string }).code ?? '')) throw error;
  }
}

/** GRANT and REVOKE without the role, such as `SELECT ON TABLE sms.messages`. */
async function wantedPrivileges(
  client: Client,
  { tables, sequences = [], functions = [] }: DatabaseAccess,
): Promise<Set<string>> {
  const wanted = new Set<string>();
  for (const [pattern, privileges] of Object.entries(tables)) {
    const [, table = '', columns] = /^([\w.*]+)(?:\((.+)\))?$/.exec(pattern) ?? [];
    const names = await tablesOf(client, table);
    if (names.length === 0) throw new Error(`There is no table ${table} to grant privileges on.`);
    const parts = columns ? columns.split(', ').map((column) => ` (${column})`) : [''];
    for (const name of names)
      for (const privilege of privileges) for (const part of parts) wanted.add(`${privilege}${part} ON TABLE ${name}`);
  }
  for (const name of sequences) wanted.add(`USAGE ON SEQUENCE ${name}`);
  const schemas = new Set([...Object.keys(tables), ...sequences, ...functions].map((name) => name.split('.')[0] ?? ''));
  for (const schema of schemas) wanted.add(`USAGE ON SCHEMA ${schema}`);
  return wanted;
}

/** The named table, or all tables of the schema, without partitions, which are accessed through their parent table. */
async function tablesOf(client: Client, pattern: string): Promise<string[]> {
  const [schema, table] = pattern.split('.');
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', $1::text, c.relname) AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition AND CASE $2
       WHEN '*' THEN c.relname <> ALL (ARRAY['migrations', 'repeatable_migrations']) ELSE c.relname = $2 END`,
    [schema, table],
  );
  return rows.map(({ name }) => name);
}

async function presentPrivileges(client: Client, role: string): Promise<Set<string>> {
  const { rows } = await client.query<{ privilege: string }>(
    `SELECT format('%s%s ON %s %s', acl.privilege_type, acl.part, acl.kind, acl.name) AS privilege
     FROM (
       SELECT (aclexplode(c.relacl)).*, '' AS part, CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind,
              format('%I.%I', n.nspname, c.relname) AS name
       FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.relacl IS NOT NULL
       UNION ALL
       SELECT (aclexplode(a.attacl)).*, format(' (%I)', a.attname), 'TABLE', format('%I.%I', n.nspname, c.relname)
       FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
       WHERE a.attacl IS NOT NULL
       UNION ALL
       SELECT (aclexplode(n.nspacl)).*, '', 'SCHEMA', quote_ident(n.nspname) FROM pg_namespace AS n WHERE n.nspacl IS NOT NULL
     ) AS acl
     WHERE acl.grantee = $1::regrole`,
    [role],
  );
  return new Set(rows.map(({ privilege }) => privilege));
}

/** The form in which PostgreSQL stores a password (RFC 5803). */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, SCRAM_ITERATIONS, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const serverKey = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
