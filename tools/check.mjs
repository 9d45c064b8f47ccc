// npm run check: what CI asks of a change: format, lint, types, tests.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureInstalled, root } from './install.mjs';
import { runNx } from './run-nx.mjs';

const node = (script, ...args) =>
  spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' }).status ?? 1;

const steps = {
  format: () => node(path.join(root, 'node_modules/prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'),
  // Through nx alone: without its project graph the boundaries are not checked, silently.
  'lint, types': () => runNx(['run-many', '-t', 'lint-all', 'typecheck-all', '--output-style=static']),
  test: () => node(path.join(root, 'tools/test.mjs')),
};

ensureInstalled();
for (const [name, step] of Object.entries(steps)) {
  const startedAt = Date.now();
  const status = await step();
  if (status !== 0) {
    console.error(`check: ${name} failed`);
    process.exit(status);
  }
  console.log(`check: ${name} passed in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
}
