import { spawn } from 'node:child_process';
import path from 'node:path';
import { root } from './install.mjs';

const running = new Set();

/**
 * Runs nx to its end; resolves with its exit code. It gets a process group of its own, because it does not hand
 * signals on to the commands it runs: `stopNx` reaches them all.
 */
export function runNx(args, settings = {}) {
  const child = spawn(process.execPath, [path.join(root, 'node_modules/nx/dist/bin/nx.js'), ...args], {
    cwd: root,
    // A daemon would stay behind.
    env: { ...process.env, NX_DAEMON: 'false', ...settings },
    stdio: 'inherit',
    detached: true,
  });
  running.add(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      running.delete(child);
      resolve(code ?? 1);
    });
  });
}

export function stopNx() {
  for (const { pid } of running) process.kill(-pid, 'SIGTERM');
}
