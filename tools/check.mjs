// npm run check: what CI asks of a change: format, lint, types, tests.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureInstalled, root } from './install.mjs';

// A daemon of nx would stay behind.
const env = { ...process.env, NX_DAEMON: 'false' };
const node = (script, ...args) =>
  spawnSync(process.execPath, [path.join(root, script), ...args], { cwd: root, env, stdio: 'inherit' }).status ?? 1;

const steps = {
  format: () => node('node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'),
  // Only nx has the project graph that the boundaries need; without it, they accept every import.
  'lint, types': () =>
    node('node_modules/nx/dist/bin/nx.js', 'run-many', '-t', 'lint-all', 'typecheck-all', '--output-style=static'),
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
