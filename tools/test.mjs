// npm test: all tests of all projects, with real PostgreSQL, RabbitMQ, Redis and Chromium, which are found or started.
// `npm test -- -p sms-api,phone` runs only these projects. Other arguments are passed to Jest. With
// TEST_RERUN_FAILED=true (CI), up to three failed files run once more by themselves; files that pass then are reported
// as flaky and do not fail the run.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureInstalled, root } from './install.mjs';
import { haveChromium } from './servers/chromium.mjs';
import { haveServers, ServerMissing } from './servers/index.mjs';
import { haveNginx } from './servers/nginx.mjs';
import { havePlpgsqlCheck } from './servers/plpgsql-check.mjs';

const MAX_FLAKY_FILES = 3;
// Also for the workers. Most objects of a test live for a short time; with more space for them, the garbage collector runs less often.
const NODE_OPTIONS = ['--max-semi-space-size=64'];

// jest.reporter.cjs writes the number of tests.
const countsFile = path.join(root, 'tmp/test-counts.json');

/** Jest's arguments: `-p a,b` selects projects, as in nx. */
function jestArguments(args) {
  const at = args.findIndex((argument) => argument === '-p' || argument === '--projects');
  if (at === -1) return args;
  const projects = (args[at + 1] ?? '').split(',').filter(Boolean);
  return [...args.slice(0, at), ...args.slice(at + 2), '--selectProjects', ...projects];
}

function runJest(args, servers) {
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const child = spawn(process.execPath, [...NODE_OPTIONS, jest, '-c', path.join(root, 'jest.config.cjs'), ...args], {
    cwd: root,
    env: { ...process.env, ...servers, TEST_COUNTS_FILE: countsFile },
    stdio: 'inherit',
    // A separate process group, so that a signal reaches its workers as well.
    detached: true,
  });
  const ended = new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  return { ended, stop: () => process.kill(-child.pid, 'SIGTERM') };
}

ensureInstalled();
haveChromium({ log: console.log });
haveNginx({ log: console.log });
let servers;
try {
  servers = await haveServers({ own: process.env.TEST_SERVERS === 'own', log: console.log });
} catch (error) {
  if (!(error instanceof ServerMissing)) throw error;
  console.error(error.message);
  process.exit(1);
}

let running;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => running?.stop());

/** Runs Jest to its end; returns its exit status and the counts of its tests. */
async function runTests(args) {
  rmSync(countsFile, { force: true });
  running = runJest(args, servers.settings);
  // Null: the process was ended by a signal.
  const status = (await running.ended) ?? 1;
  const counts = existsSync(countsFile)
    ? JSON.parse(readFileSync(countsFile, 'utf8'))
    : { passed: 0, failed: 0, skipped: 0, failedFiles: [] };
  return { status, ...counts };
}

let result;
let flaky = [];
try {
  const hasCheck = await havePlpgsqlCheck({ url: servers.settings.DATABASE_URL, log: console.log });
  // CI must check the SQL functions.
  if (!hasCheck && process.env.CI === undefined) servers.settings.PLPGSQL_CHECK = 'unavailable';
  result = await runTests(jestArguments(process.argv.slice(2)));
  const { failedFiles } = result;
  const mayRerun = process.env.TEST_RERUN_FAILED === 'true';
  if (mayRerun && failedFiles.length > 0 && failedFiles.length <= MAX_FLAKY_FILES) {
    console.log(`Running ${failedFiles.length} failed file(s) once more.`);
    const again = await runTests(['--runInBand', '--runTestsByPath', ...failedFiles]);
    if (again.status === 0) {
      flaky = failedFiles;
      // The output of the first run shows which test of a file failed.
      result = { ...result, status: 0, passed: result.passed + result.failed, failed: 0 };
    }
  }
} finally {
  await servers.stop();
}

let { status } = result;
const { passed, failed, skipped } = result;
for (const file of flaky)
  console.log(`FLAKY ${path.relative(root, file)}: failed in the run and passed when repeated alone.`);
if (passed + failed === 0) {
  console.error('No test was run.');
  status ||= 1;
}
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(status);
