import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export interface ServerUser {
  uid: number;
  gid: number;
}

/**
 * The user of the server, because PostgreSQL refuses to run as root; null for the current user. Root uses `postgres` if
 * the user exists, else `nobody`: a demo must not create users.
 */
export function serverUser(): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  const accounts = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  );
  const user = accounts.get('postgres') ?? accounts.get('nobody');
  if (user) return user;
  throw new Error(
    'PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as. ' +
      'Start as another user, or set DATABASE_URL to your own server.',
  );
}

/** Whether a user may traverse all parent folders and read the path. */
export function isReachable(target: string, { uid, gid }: ServerUser): boolean {
  for (let folder = path.dirname(target); ; folder = path.dirname(folder)) {
    const { uid: owner, gid: group, mode } = statSync(folder);
    const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (folder === path.dirname(folder)) return true;
  }
}
