import { canInstallPackages, installPackages } from './debian.mjs';
import { hasDockerEngine } from './docker.mjs';
import * as postgres from './postgres.mjs';
import * as rabbitmq from './rabbitmq.mjs';
import * as redis from './redis.mjs';

/** Thrown when a server is neither found nor startable. The message says what to install or set. */
export class ServerMissing extends Error {}

/** Returns the first of the standard local addresses that responds. */
async function findLocal(server) {
  for (const url of server.standardUrls) {
    const found = await server.answers(url).then(
      () => true,
      () => false,
    );
    if (found) return url;
  }
  return null;
}

async function startOwn(server, log) {
  try {
    if (await server.isInstalled()) return await server.start();
    if (hasDockerEngine()) return await server.startInDocker();
    if (canInstallPackages()) {
      log(`${server.name}: installing Debian's ${server.debianPackage}`);
      installPackages(server.debianPackage);
      return await server.start();
    }
  } catch (error) {
    throw new ServerMissing(
      `${server.name} could not be started; set ${server.setting} to a running one. ${error.message}`,
    );
  }
  throw new ServerMissing(
    `${server.name} is missing: set ${server.setting}, or start one at ${server.standardUrls[0]}, ` +
      `or install it (Debian: ${server.debianPackage}), or start a Docker engine.`,
  );
}

async function have(server, { own, log }) {
  const given = process.env[server.setting];
  if (given) {
    await server.answers(given).catch((error) => {
      throw new ServerMissing(`${server.name} does not respond at the URL in ${server.setting}: ${error.message}`);
    });
    log(`${server.name}: using the server in ${server.setting}`);
    return { url: given };
  }
  const local = own ? null : await findLocal(server);
  if (local) {
    log(`${server.name}: ${local}`);
    return { url: local };
  }
  const started = await startOwn(server, log);
  log(`${server.name}: started for this run at ${started.url}`);
  return started;
}

/**
 * PostgreSQL, RabbitMQ and Redis: from environment variables, or at the standard local ports, or else started here
 * (always, if `own`). Returns their environment variables and a function that stops the started servers. Throws
 * ServerMissing.
 */
export async function haveServers({ own = false, log = () => undefined } = {}) {
  const started = [];
  const stop = async () => {
    for (const server of started.splice(0).reverse()) await server.stop?.();
  };
  const settings = {};
  try {
    for (const server of [postgres, rabbitmq, redis]) {
      const running = await have(server, { own, log });
      started.push(running);
      settings[server.setting] = running.url;
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { settings, stop };
}
