// npm run security: the tests that docs/security.md lists, then expensive bodies for every operation of every service. Takes about
// ten minutes; calls this machine only.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const list = readFileSync(path.join(root, 'docs/security.md'), 'utf8');
const files = [...new Set([...list.matchAll(/`([\w./-]+\.(?:e2e-)?spec\.ts)`/g)].map(([, file]) => file))];

const steps = [
  ['tools/test.mjs', '--runTestsByPath', ...files],
  ['tools/bench.mjs', '--only', 'hostile'],
];
for (const step of steps) {
  const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
