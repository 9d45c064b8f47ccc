import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface Target {
  databaseUrl: string;
  keyPrefix: string;
  /** Whether it is the local stack that runs in DATA_DIR. Only its services use the published keys. */
  isLocalStack: boolean;
}

/** Paths are relative to the user's working directory; npm changes into the repository first. */
export function whereTheCallerStands(): string {
  return process.env['INIT_CWD'] || process.cwd();
}

/** The deployment to provision: DATABASE_URL, else the local stack that runs in DATA_DIR, else null. */
export function findTarget(root: string): Target | null {
  const databaseUrl = process.env['DATABASE_URL'];
  const keyPrefix = process.env['KEY_PREFIX'];
  const stack = runningStack(root);
  if (databaseUrl) {
    return { databaseUrl, keyPrefix: keyPrefix || 'msg', isLocalStack: databaseUrl === stack?.databaseUrl };
  }
  return stack && { databaseUrl: stack.databaseUrl, keyPrefix: keyPrefix || stack.keyPrefix, isLocalStack: true };
}

/** Whether this is the database of the local stack that runs in DATA_DIR. */
export function isLocalStack(root: string, databaseUrl: string): boolean {
  return runningStack(root)?.databaseUrl === databaseUrl;
}

interface StackFile {
  databaseUrl: string;
  keyPrefix: string;
  pid: number;
}

function runningStack(root: string): StackFile | null {
  const dataDir = process.env['DATA_DIR'];
  const folder = dataDir ? path.resolve(whereTheCallerStands(), dataDir) : path.join(root, '.data');
  const stack = readStack(path.join(folder, 'stack.json'));
  return stack && isAlive(stack.pid) ? stack : null;
}

function readStack(file: string): StackFile | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as StackFile;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user exists, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
