// npm run check: the same checks as CI: lint, types, format, tests.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureInstalled, root } from './install.mjs';

// The Nx daemon would keep running.
const env = { ...process.env, NX_DAEMON: 'false' };
const node = (script, ...args) =>
  spawnSync(process.execPath, [path.join(root, script), ...args], { cwd: root, env, stdio: 'inherit' }).status ?? 1;

const steps = {
  // The module boundaries need the Nx project graph; without it, the rule accepts every import.
  'lint, types, format': () =>
    node(
      'node_modules/nx/dist/bin/nx.js',
      'run-many',
      '-t',
      'lint-all',
      'typecheck-all',
      'format-all',
      '--parallel=2',
      '--output-style=static',
    ),
  test: () => node('tools/test.mjs'),
};

ensureInstalled();
for (const [name, step] of Object.entries(steps)) {
  const startedAt = Date.now();
  const status = step();
  if (status !== 0) {
    console.error(`check: ${name} failed`);
    process.exit(status);
  }
  console.log(`check: ${name} passed in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
}
