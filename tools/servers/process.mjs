import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;
const NOBODY = 65_534;

export const isRoot = process.getuid?.() === 0;

/**
 * The user that runs PostgreSQL: `nobody` instead of root, because PostgreSQL refuses to run as root; otherwise the
 * current user.
 */
export const unprivilegedUser = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Whether a command exists, is executable and exits with 0. */
export const works = (command, args, user = {}) => spawnSync(command, args, { stdio: 'ignore', ...user }).status === 0;

/** Runs a command until it exits. Throws with its output when it fails. */
export function run(command, args, options = {}) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args[0]} failed: ${(error?.message ?? stderr).trim()}`);
}

/** Returns a free port of the loopback address. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Resolves as soon as `answers` resolves. Rejects with its last error after the time limit. */
export async function untilAnswers(answers, hasEnded = () => false) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return await answers();
    } catch (error) {
      if (hasEnded()) throw new Error('the process exited during its start');
      if (Date.now() > deadline) throw error;
    }
    await wait(100);
  }
}

/** Creates a folder for one server and its user. */
export function ownFolder(name, { uid, gid } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), `heliograph-${name}-`));
  if (uid !== undefined) chownSync(folder, uid, gid);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Starts a server in its own process group, so that a Ctrl-C in the terminal does not reach it, and waits until it
 * responds. Returns its `pid` and a function that stops it. If it does not start, throws with the end of its log.
 */
export async function startProcess({ command, args, folder, answers, env, user, stopSignal = 'SIGTERM' }) {
  const log = path.join(folder, 'server.log');
  const output = openSync(log, 'a');
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', output, output],
    ...user,
  });
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  const stop = async () => {
    if (hasEnded) return;
    child.kill(stopSignal);
    const cut = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(cut);
  };
  try {
    await untilAnswers(answers, () => hasEnded);
  } catch (error) {
    await stop();
    throw new Error(`${command}: ${error.message}\n${readFileSync(log, 'utf8').slice(-2_000)}`);
  }
  return { pid: child.pid, stop };
}
