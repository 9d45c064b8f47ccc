// Installs the npm packages if they are missing or differ from the lock file. Requires only Node.js.
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

/** Compares the content, not the time: switching branches and back must not reinstall. */
function isStale() {
  const wanted = packagesOf('package-lock.json') ?? {};
  // npm writes this file last, so it is missing after an interrupted installation.
  const present = packagesOf('node_modules/.package-lock.json');
  if (present === null) return true;
  return Object.entries(wanted).some(([folder, { version, optional, link }]) => {
    if (folder === '' || link) return false;
    const found = present[folder];
    // Binaries of other platforms are not installed.
    return found ? found.version !== version : !optional;
  });
}

/** Runs `npm ci` if necessary. Exits if it fails. */
export function ensureInstalled() {
  if (!isStale()) return;
  console.log('Installing packages (npm ci)…');
  // Regardless of NODE_ENV: the tools are development dependencies.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  const { status } = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) {
    console.error('npm ci failed. Fix the error above and try again.');
    process.exit(status ?? 1);
  }
}
