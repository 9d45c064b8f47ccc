import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startContainer } from './docker.mjs';
import { freePort, ownFolder, startProcess, untilAnswers } from './process.mjs';

export const name = 'RabbitMQ';
export const setting = 'AMQP_URL';
export const standardUrls = ['amqp://guest:guest@127.0.0.1:5672'];
export const debianPackage = 'rabbitmq-server';

// Debian's wrapper in the PATH requires the node and user of the system; this is the script that it calls.
const SERVER = '/usr/lib/rabbitmq/bin/rabbitmq-server';

export async function answers(url) {
  const { default: amqp } = await import('amqplib');
  const connection = await amqp.connect(url, { timeout: 3_000 });
  await connection.close();
}

export const isInstalled = () => existsSync(SERVER);

/** A separate broker with its own node name, ports, folder and port mapper. */
export async function start() {
  const port = await freePort();
  const distributionPort = await freePort();
  const mapperPort = await freePort();
  const { folder, remove } = ownFolder('rabbitmq');
  const url = `amqp://guest:guest@127.0.0.1:${port}`;
  writeFileSync(path.join(folder, 'plugins'), '[].');
  writeFileSync(
    path.join(folder, 'rabbitmq.conf'),
    `listeners.tcp.local = 127.0.0.1:${port}\ndisk_free_limit.absolute = 50MB\n`,
  );
  const env = {
    HOME: folder,
    RABBITMQ_NODENAME: `heliograph-${port}@localhost`,
    RABBITMQ_DIST_PORT: String(distributionPort),
    RABBITMQ_MNESIA_BASE: path.join(folder, 'data'),
    RABBITMQ_LOG_BASE: path.join(folder, 'log'),
    RABBITMQ_PID_FILE: path.join(folder, 'pid'),
    RABBITMQ_ENABLED_PLUGINS_FILE: path.join(folder, 'plugins'),
    RABBITMQ_CONFIG_FILE: path.join(folder, 'rabbitmq.conf'),
    RABBITMQ_CONF_ENV_FILE: path.join(folder, 'none'),
    ERL_EPMD_PORT: String(mapperPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_FLAGS: '-kernel inet_dist_use_interface {127,0,0,1}',
    // The start script is replaced by the broker process, so that signals reach the broker.
    RUNNING_UNDER_SYSTEMD: 'true',
  };
  let mapper;
  try {
    // A port mapper that the broker starts by itself would outlive it.
    mapper = await startProcess({
      command: 'epmd',
      args: ['-port', String(mapperPort), '-address', '127.0.0.1'],
      folder,
      answers: async () => undefined,
    });
    const server = await startProcess({ command: SERVER, args: [], folder, env, answers: () => answers(url) });
    const stop = async () => {
      await server.stop();
      await mapper.stop();
      remove();
    };
    return { url, pid: server.pid, stop };
  } catch (error) {
    await mapper?.stop();
    remove();
    throw error;
  }
}

export async function startInDocker() {
  const { address, stop } = startContainer({ image: 'rabbitmq:3.13', port: 5672 });
  const url = `amqp://guest:guest@${address}`;
  await untilAnswers(() => answers(url));
  return { url, stop };
}
