import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { commandOf, isAlive, waitForEnd } from '../processes';

const FAST_STOP_MS = 15_000;

/**
 * Stops the server of a killed stack, which blocks the folder for the next one. Does nothing if there is none.
 */
export async function stopLeftoverServer(dataFolder: string): Promise<void> {
  const pidFile = path.join(dataFolder, 'postmaster.pid');
  const content = await readFile(pidFile, 'utf8').catch(() => '');
  const pid = Number(content.split('\n', 1)[0]);
  if (!Number.isInteger(pid) || pid <= 1) return;
  if (isAlive(pid) && (await commandOf(pid)).includes('postgres')) {
    process.kill(pid, 'SIGINT');
    if (!(await waitForEnd(pid, FAST_STOP_MS))) {
      process.kill(pid, 'SIGQUIT');
      await waitForEnd(pid, FAST_STOP_MS);
    }
  }
  // Another process may have the id now, which PostgreSQL would mistake for a running server.
  await rm(pidFile, { force: true });
}
