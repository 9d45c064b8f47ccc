// Runs Jest with real PostgreSQL, RabbitMQ, Redis and Chromium, which are found or started. With TEST_RERUN_FAILED=true
// (CI), up to three failed files run once more by themselves; files that pass then are reported as flaky and do not fail
// the run.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from '../install.mjs';
import { haveChromium } from '../servers/chromium.mjs';
import { haveServers } from '../servers/index.mjs';
import { haveNginx } from '../servers/nginx.mjs';
import { havePromtool } from '../servers/promtool.mjs';
import { havePlpgsqlCheck } from '../servers/plpgsql-check.mjs';

const MAX_FLAKY_FILES = 3;
// Also for the workers. Most objects of a test live for a short time; with more space for them, the garbage collector runs less often.
const NODE_OPTIONS = ['--max-semi-space-size=64'];

let running;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => running?.stop());

function startJest(args, environment) {
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const child = spawn(process.execPath, [...NODE_OPTIONS, jest, '-c', path.join(root, 'jest.config.cjs'), ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: 'inherit',
    // A separate process group, so that a signal reaches its workers as well.
    detached: true,
  });
  const ended = new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  return { ended, stop: () => process.kill(-child.pid, 'SIGTERM') };
}

/** Runs Jest to its end. Resolves with its exit status, the counts of each project and the files that failed. */
async function runJest(args, settings) {
  // jest.reporter.cjs writes it.
  const countsFile = path.join(root, `tmp/test-counts.${process.pid}.json`);
  running = startJest(args, { ...settings, TEST_COUNTS_FILE: countsFile });
  // Null: the process was ended by a signal.
  const status = (await running.ended) ?? 1;
  running = undefined;
  if (!existsSync(countsFile)) return { status, projects: {}, failedFiles: [] };
  const counts = JSON.parse(readFileSync(countsFile, 'utf8'));
  rmSync(countsFile);
  return { status, ...counts };
}

async function runJestTwice(args, settings) {
  const run = await runJest(args, settings);
  const { failedFiles } = run;
  const mayRerun = process.env.TEST_RERUN_FAILED === 'true';
  if (!mayRerun || failedFiles.length === 0 || failedFiles.length > MAX_FLAKY_FILES) return run;
  console.log(`Running ${failedFiles.length} failed file(s) once more.`);
  const again = await runJest(['--runInBand', '--runTestsByPath', ...failedFiles], settings);
  if (again.status !== 0) return run;
  // The output of the first run shows which test of a file failed.
  for (const file of failedFiles)
    console.log(`FLAKY ${path.relative(root, file)}: failed in the run and passed when repeated alone.`);
  for (const counts of Object.values(run.projects)) {
    counts.passed += counts.failed;
    counts.failed = 0;
  }
  return { ...run, status: 0, failedFiles: [] };
}

export function summaryOf({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * Runs the tests of these projects, or of all of them; `args` are further arguments of Jest. Resolves with the exit status
 * and the counts of each project whose tests were run.
 */
export async function runTests(projects, args = []) {
  haveChromium({ log: console.log });
  haveNginx({ log: console.log });
  havePromtool({ log: console.log });
  const servers = await haveServers({ own: process.env.TEST_SERVERS === 'own', log: console.log });
  try {
    const hasCheck = await havePlpgsqlCheck({ url: servers.settings.DATABASE_URL, log: console.log });
    // CI must check the SQL functions.
    if (!hasCheck && process.env.CI === undefined) servers.settings.PLPGSQL_CHECK = 'unavailable';
    const selected = projects.length > 0 ? ['--selectProjects', ...projects] : [];
    return await runJestTwice([...args, ...selected], servers.settings);
  } finally {
    await servers.stop();
  }
}
