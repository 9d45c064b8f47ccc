// Installs the npm packages when they are missing or not those of the lock file. Needs nothing but Node itself.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), 'utf8')).packages ?? {};
  } catch {
    return null;
  }
}

/** By content, not by time: switching branches to and fro must not install anew. */
function isStale() {
  const wanted = packagesOf('package-lock.json') ?? {};
  // npm writes it at the very end, so after an interrupted install it is not there.
  const present = packagesOf('node_modules/.package-lock.json');
  if (present === null) return true;
  return Object.entries(wanted).some(([folder, { version, optional, link }]) => {
    if (folder === '' || link) return false;
    const found = present[folder];
    // Binaries of other platforms are left out on purpose.
    return found ? found.version !== version : !optional;
  });
}

/** Runs `npm ci` when it is needed. Ends the process when that fails. */
export function ensureInstalled() {
  if (!isStale()) return;
  console.log('Installing packages (npm ci)…');
  // Whatever NODE_ENV says: the tools are among the development packages.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  const { status } = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) {
    console.error('npm ci failed: see above; mend it and start again.');
    process.exit(status ?? 1);
  }
}
