import { readFileSync } from 'node:fs';
import path from 'node:path';
import { databaseConfigSchema } from '@heliograph/database';
import { loadConfig } from '@heliograph/service-kit';
import { z } from 'zod';

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

/** The settings that select the deployment that a tool operates on. */
export const targetConfigSchema = z.object({
  DATABASE_URL: databaseConfigSchema.shape.DATABASE_URL.optional().meta({
    description: 'The database of the deployment. Unset: that of the local stack that runs in DATA_DIR.',
    form: 'a postgres:// or postgresql:// URL',
    example: 'postgres://heliograph:$(openssl rand -hex 32)@postgres:5432/heliograph',
    secret: true,
  }),
  KEY_PREFIX: z.string().optional().meta({
    description: 'Prefix of new API keys, as in the services.',
    defaultsTo: '`msg`, or that of the local stack',
    example: 'msg',
  }),
  DATA_DIR: z.string().optional().meta({
    description: 'Folder of the local stack, relative to the working directory.',
    form: 'a path',
    defaultsTo: '`.data` in the repository',
    example: '/tmp/stack',
  }),
});

/** The deployment to provision: DATABASE_URL, else the local stack that runs in DATA_DIR, else null. Throws a ConfigError. */
export function findTarget(root: string): Target | null {
  const { DATABASE_URL: databaseUrl, KEY_PREFIX: keyPrefix } = loadConfig(targetConfigSchema, process.env);
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
  const { DATA_DIR: dataDir } = loadConfig(targetConfigSchema.pick({ DATA_DIR: true }), process.env);
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
