// npm test: the tests of all projects. Nx runs the tests of a project again if its files, or those of a library that it
// uses, have changed since they passed (tools/jest/test-executor.cjs); NX_SKIP_NX_CACHE=true runs all of them.
// `npm test -- -p sms-api,phone` runs only these projects. Other arguments are passed to Jest, which then runs without the
// cache.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureInstalled, root } from './install.mjs';
import { runTests, summaryOf } from './jest/run-tests.mjs';
import { ServerMissing } from './servers/index.mjs';

/** Where the executor stores the counts of each project; for other projects, Nx restores them from its cache. */
const resultsFolder = path.join(root, 'tmp/test-results');

/** `-p a,b` selects projects, as in nx; the other arguments are those of Jest. */
function readArguments(args) {
  const at = args.findIndex((argument) => argument === '-p' || argument === '--projects');
  if (at === -1) return { projects: [], jestArguments: args };
  const projects = (args[at + 1] ?? '').split(',').filter(Boolean);
  return { projects, jestArguments: [...args.slice(0, at), ...args.slice(at + 2)] };
}

/** Runs the tests of projects that have no result in the cache. Resolves with the exit status and the counts of all. */
async function runChanged(projects) {
  rmSync(resultsFolder, { recursive: true, force: true });
  const nx = path.join(root, 'node_modules/nx/dist/bin/nx.js');
  const selected = projects.length > 0 ? ['-p', projects.join(',')] : [];
  const child = spawn(process.execPath, [nx, 'run-many', '-t', 'test', ...selected, '--output-style=static'], {
    cwd: root,
    // The Nx daemon would keep running. Nx passes the output of Jest on through a pipe.
    env: { FORCE_COLOR: process.stdout.isTTY ? '1' : '0', ...process.env, NX_DAEMON: 'false' },
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  const files = existsSync(resultsFolder) ? readdirSync(resultsFolder) : [];
  const counts = files.map((file) => JSON.parse(readFileSync(path.join(resultsFolder, file), 'utf8')));
  return { status: status ?? 1, counts };
}

async function runJest(projects, jestArguments) {
  const { status, projects: counts } = await runTests(projects, jestArguments);
  return { status, counts: Object.values(counts) };
}

ensureInstalled();
const { projects, jestArguments } = readArguments(process.argv.slice(2));
let run;
try {
  run = jestArguments.length > 0 ? await runJest(projects, jestArguments) : await runChanged(projects);
} catch (error) {
  if (!(error instanceof ServerMissing)) throw error;
  console.error(error.message);
  process.exit(1);
}

const total = { passed: 0, failed: 0, skipped: 0 };
for (const counts of run.counts) for (const name of Object.keys(total)) total[name] += counts[name];
let { status } = run;
if (total.passed + total.failed === 0) {
  console.error('No test was run.');
  status ||= 1;
}
console.log(summaryOf(total));
process.exit(status);
