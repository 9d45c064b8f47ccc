import { startContainer } from './docker.mjs';
import { freePort, ownFolder, startProcess, untilAnswers, works } from './process.mjs';

export const name = 'Redis';
export const setting = 'REDIS_URL';
export const standardUrls = ['redis://127.0.0.1:6379'];
export const debianPackage = 'redis-server';

export async function answers(url) {
  const { Redis } = await import('ioredis');
  const client = new Redis(url, { lazyConnect: true, connectTimeout: 3_000, retryStrategy: null });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
  } finally {
    client.disconnect();
  }
}

export const isInstalled = () => works('redis-server', ['--version']);

/** A separate server without persistence. */
export async function start() {
  const port = await freePort();
  const { folder, remove } = ownFolder('redis');
  const url = `redis://127.0.0.1:${port}`;
  try {
    const server = await startProcess({
      command: 'redis-server',
      args: ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no', '--dir', folder],
      folder,
      answers: () => answers(url),
    });
    return { url, pid: server.pid, stop: () => server.stop().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

export async function startInDocker() {
  const { address, stop } = startContainer({ image: 'redis:7-bookworm', port: 6379 });
  const url = `redis://${address}`;
  await untilAnswers(() => answers(url));
  return { url, stop };
}
