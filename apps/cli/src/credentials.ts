import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What `login` keeps. */
export interface Credentials {
  apiKey: string;
  baseUrl: string;
  workspace?: string;
}

const FILE = 'credentials.json';
const SECRET = 'listen-secret';

/** Reads the credentials, or null if there are none. */
export async function readCredentials(folder: string): Promise<Credentials | null> {
  const text = await readOptional(path.join(folder, FILE));
  if (text === null) return null;
  const { apiKey, baseUrl, workspace } = JSON.parse(text) as Partial<Credentials>;
  if (!apiKey || !baseUrl) throw new Error(`${path.join(folder, FILE)} is damaged. Run \`heliograph login\` again.`);
  return { apiKey, baseUrl, ...(workspace ? { workspace } : {}) };
}

/** Writes the credentials so that only the user can read them, at no time anyone else. Resolves with the file. */
export async function writeCredentials(folder: string, credentials: Credentials): Promise<string> {
  return writePrivate(folder, FILE, `${JSON.stringify(credentials, null, 2)}\n`);
}

/** Whether there was anything to delete. */
export async function deleteCredentials(folder: string): Promise<boolean> {
  const file = path.join(folder, FILE);
  const existed = (await readOptional(file)) !== null;
  await rm(file, { force: true });
  return existed;
}

/** The secret of `webhooks listen` on this machine, made at the first call. */
export async function listenSecret(folder: string): Promise<string> {
  const known = await readOptional(path.join(folder, SECRET));
  if (known !== null) return known.trim();
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  await writePrivate(folder, SECRET, `${secret}\n`);
  return secret;
}

async function writePrivate(folder: string, name: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, name);
  const aside = `${file}.${process.pid}`;
  await writeFile(aside, text, { mode: 0o600 });
  // The mode of a file that existed stays as it was.
  await chmod(aside, 0o600);
  await rename(aside, file);
  return file;
}

async function readOptional(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
