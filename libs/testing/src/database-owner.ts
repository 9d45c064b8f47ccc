import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { onWorkerEnd } from './per-worker';
import { asAdmin, connectedClient } from './server-connection';
import { testServers } from './servers.config';

// An arbitrary constant: the first key of the locks of all owners.
const OWNERS_LOCK = 723_610_042;
const NAME = /^test_([0-9a-f]{8})_[0-9a-f]{8}$/;

const newId = (): string => randomBytes(4).toString('hex');
/** The key of a lock is a signed integer. */
const keyOf = (owner: string): number => Number.parseInt(owner, 16) | 0;

interface Owner {
  id: string;
  session: Client;
}

let current: Promise<Owner> | null = null;

/** Returns a new name for a database of this process. If this process is killed, the next one drops its databases. */
export async function ownName(): Promise<string> {
  current ??= becomeOwner();
  const { id } = await current;
  return `test_${id}_${newId()}`;
}

/** The session holds a lock as long as the process lives, so that other processes know which databases are in use. */
async function becomeOwner(): Promise<Owner> {
  const id = newId();
  const session = await connectedClient({ connectionString: testServers.databaseUrl, application_name: 'test-owner' });
  await session.query('SELECT pg_advisory_lock($1, $2)', [OWNERS_LOCK, keyOf(id)]);
  onWorkerEnd(giveUp);
  await asAdmin(dropAbandoned);
  return { id, session };
}

async function giveUp(): Promise<void> {
  const owner = await current;
  current = null;
  await owner?.session.end();
}

/** Drops the databases of processes that were killed. */
export async function dropAbandoned(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>('SELECT datname AS name FROM pg_database');
  const owners = new Set(rows.flatMap(({ name }) => NAME.exec(name)?.[1] ?? []));
  for (const owner of owners) {
    const lock = [OWNERS_LOCK, keyOf(owner)];
    const { rows: locked } = await admin.query<{ isFree: boolean }>(
      'SELECT pg_try_advisory_lock($1, $2) AS "isFree"',
      lock,
    );
    if (!locked[0]?.isFree) continue;
    for (const { name } of rows.filter(({ name }) => name.startsWith(`test_${owner}_`))) {
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    }
    await admin.query('SELECT pg_advisory_unlock($1, $2)', lock);
  }
}
