import { createHash } from 'node:crypto';
import { chmod, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { copyBinaries, installedBinaries, type Binaries } from './binaries';
import { isReachable, type ServerUser } from './server-user';

/** The folder for data that the server's user could not reach elsewhere, if root starts the stack. */
const REACHABLE_BASE = '/var/lib/heliograph';

/**
 * The folder of the database: DATA_DIR/postgres. If root starts the stack in a folder that other users cannot enter, such
 * as /root, another folder that is derived from DATA_DIR.
 */
export async function serverFolder(dataDir: string, user: ServerUser | null): Promise<string> {
  if (user === null) return path.join(dataDir, 'postgres');
  // DATA_DIR belongs to the stack, so it may change its mode; mktemp creates it for root only.
  const { mode } = await stat(dataDir);
  if (isReachable(dataDir, user)) {
    await chmod(dataDir, mode | 0o011);
    return path.join(dataDir, 'postgres');
  }
  const key = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return path.join(await reachableBase(), `data-${key}`);
}

/** The binaries; a copy if the server's user cannot reach node_modules. */
export async function reachableBinaries(user: ServerUser | null): Promise<Binaries> {
  const binaries = await installedBinaries();
  if (user === null || isReachable(binaries.postgres, user)) return binaries;
  const key = createHash('sha256').update(binaries.folder).digest('hex').slice(0, 16);
  return copyBinaries(binaries, path.join(await reachableBase(), `binaries-${key}`));
}

async function reachableBase(): Promise<string> {
  try {
    await mkdir(REACHABLE_BASE, { recursive: true, mode: 0o755 });
    return REACHABLE_BASE;
  } catch (error) {
    throw new Error(
      `The database cannot be stored here: PostgreSQL does not run as root, its user has no access to this folder, and ` +
        `${REACHABLE_BASE} cannot be created. Set DATA_DIR to a folder that every user can access, or start as another user.`,
      { cause: error },
    );
  }
}
