// npm test: every test of every project, against real PostgreSQL, RabbitMQ, Redis and Chromium, found or started here.
// Arguments go to `nx run-many`: `npm test -- -p sms-api`.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureInstalled, root } from './install.mjs';
import { runNx, stopNx } from './run-nx.mjs';
import { haveChromium } from './servers/chromium.mjs';
import { haveServers, ServerMissing } from './servers/index.mjs';

// Where jest.reporter.cjs leaves a project's counts, and nx puts them back when it answers from its cache.
const results = path.join(root, 'tmp/test-results');

function countTests() {
  const count = { passed: 0, failed: 0, skipped: 0 };
  const files = existsSync(results) ? readdirSync(results) : [];
  for (const file of files) {
    const project = JSON.parse(readFileSync(path.join(results, file), 'utf8'));
    for (const outcome of Object.keys(count)) count[outcome] += project[outcome];
  }
  return count;
}

ensureInstalled();
haveChromium({ log: console.log });
let servers;
try {
  servers = await haveServers({ own: process.env.TEST_SERVERS === 'own', log: console.log });
} catch (error) {
  if (!(error instanceof ServerMissing)) throw error;
  console.error(error.message);
  process.exit(1);
}

let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    interrupted = true;
    stopNx();
  });
}

let status = 1;
try {
  rmSync(results, { recursive: true, force: true });
  const args = ['run-many', '-t', 'test', '--parallel=2', '--output-style=static', ...process.argv.slice(2)];
  status = await runNx(args, servers.settings);
} finally {
  await servers.stop();
}

const { passed, failed, skipped } = countTests();
if (passed + failed === 0) {
  console.error('No test was run.');
  status ||= 1;
}
if (interrupted) status ||= 1;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(status);
