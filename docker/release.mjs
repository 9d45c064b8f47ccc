// node docker/release.mjs VERSION: deploys a version of the images on this host without an interruption: it migrates the schemas, then
// replaces the containers one by one. `node docker/release.mjs --rollback` returns to the version before; the schemas
// stay as they are, and the SQL functions of that version are restored.
// The same command continues a release that failed half-way. COMPOSE_FILE selects other compose files.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseEnv } from 'node:util';

const folder = import.meta.dirname;
const envFile = path.join(folder, '.env');
const READY_TIMEOUT_MS = 120_000;
/** Longer than the gateway keeps the answer of the DNS server (deploy/nginx/resolver/docker.conf). */
const RESOLVER_MS = 3_000;
const PRODUCT = 'heliograph/';
const READY_CHECK = `require('node:http').get({ port: process.env.PORT, path: '/health/ready' }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))`;

const startedAt = Date.now();
const say = (text) => console.log(`[${((Date.now() - startedAt) / 1_000).toFixed(1)} s] ${text}`);

/** The settings of docker/.env. */
const readSettings = () => parseEnv(readFileSync(envFile, 'utf8'));

function writeSettings(values) {
  let text = readFileSync(envFile, 'utf8');
  for (const [name, value] of Object.entries(values)) {
    const line = new RegExp(`^${name}=.*$`, 'm');
    if (line.test(text)) text = text.replace(line, `${name}=${value}`);
    else text = `${text.trimEnd()}\n${name}=${value}\n`;
  }
  writeFileSync(envFile, text);
}

function docker(args, { version, isQuiet = true, mayFail = false } = {}) {
  const env = { COMPOSE_FILE: path.join(folder, 'compose.yaml'), ...process.env };
  if (version) env.HELIOGRAPH_VERSION = version;
  const { status, stdout, stderr } = spawnSync('docker', args, {
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1_024 * 1_024,
    stdio: ['ignore', isQuiet ? 'pipe' : 'inherit', 'pipe'],
  });
  if (status !== 0 && !mayFail) throw new Error(`docker ${args.slice(0, 4).join(' ')} … failed:\n${stderr}`);
  return { isDone: status === 0, output: (stdout ?? '').trim() };
}

const lines = (text) => text.split('\n').filter(Boolean);
const inspect = (id) => JSON.parse(docker(['inspect', id]).output)[0];

/** The long-running services of the product, and the images of all of them. */
function productOf(version) {
  const { output } = docker(['compose', '--profile', 'ops', 'config', '--format', 'json'], { version });
  const services = Object.entries(JSON.parse(output).services).filter(([, { image }]) => image.startsWith(PRODUCT));
  return {
    images: [...new Set(services.map(([, { image }]) => image))],
    services: services
      .filter(([name]) => name !== 'ops' && name !== 'migrate')
      .map(([name, { image, ports = [], environment }]) => ({
        name,
        image,
        hasPorts: ports.length > 0,
        isWorker: ['worker', 'webhooks'].includes(environment.ROLE),
      })),
  };
}

function ensureImages(images, version) {
  const isMissing = (image) => !docker(['image', 'inspect', image], { mayFail: true }).isDone;
  if (!images.some(isMissing)) return;
  say('pulling the images');
  docker(['compose', '--profile', 'ops', 'pull', '--ignore-buildable', '--quiet'], { version, mayFail: true });
  for (const image of images.filter(isMissing)) docker(['pull', '--quiet', image]);
}

async function untilReady(name, id) {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!docker(['exec', id, 'node', '-e', READY_CHECK], { mayFail: true }).isDone) {
    if (Date.now() > deadline) throw new Error(`${name} is not ready after ${READY_TIMEOUT_MS / 1_000} s`);
    await delay(500);
  }
}

/** Replaces the containers of a service that do not run the image yet. */
async function roll({ name, image, hasPorts, isWorker }, version) {
  const imageId = docker(['image', 'inspect', '--format', '{{.Id}}', image]).output;
  const all = () => lines(docker(['compose', 'ps', '--all', '--quiet', name], { version }).output);
  const before = all();
  const old = before.filter((id) => inspect(id).Image !== imageId);
  if (old.length === 0) return say(`${name}: ${before.length} containers run the version`);
  // Two containers cannot publish the same port of the host. Mail servers send again after a refused connection.
  if (hasPorts) {
    docker(['compose', 'up', '--detach', '--no-deps', name], { version });
    for (const id of all()) await untilReady(name, id);
    return say(`${name}: replaced; its port was closed for a moment`);
  }
  for (const id of old) {
    const present = all();
    const scale = `${name}=${present.length + 1}`;
    docker(['compose', 'up', '--no-start', '--no-deps', '--no-recreate', '--scale', scale, name], { version });
    const added = all().filter((other) => !present.includes(other));
    if (added.length !== 1) throw new Error(`${name}: ${added.length} containers were created, not one`);
    try {
      await join(name, added[0]);
    } catch (error) {
      docker(['rm', '--force', added[0]], { mayFail: true });
      throw error;
    }
    await stop(id, isWorker ? null : name, version);
    say(`${name}: replaced`);
  }
}

/** Starts a container without the name of its service, and gives it the name when it is ready. */
async function join(name, id) {
  const networks = Object.keys(inspect(id).NetworkSettings.Networks);
  for (const network of networks) {
    docker(['network', 'disconnect', network, id]);
    docker(['network', 'connect', network, id]);
  }
  docker(['start', id]);
  await untilReady(name, id);
  for (const network of networks.filter((network) => network.endsWith('_edge'))) {
    docker(['network', 'disconnect', network, id]);
    docker(['network', 'connect', '--alias', name, network, id]);
  }
  await untilReady(name, id);
  // From now on, the gateway has an instance for the requests whose connection to the old one fails.
  await delay(RESOLVER_MS);
}

/**
 * Stops and removes a container. Meanwhile it asks the gateway for the readiness of the service: an instance that ends responds with 503,
 * and the gateway sends no further request to it.
 */
async function stop(id, service, version) {
  const stopped = once(spawn('docker', ['stop', id], { stdio: 'ignore' }), 'exit');
  let isStopped = false;
  void stopped.then(() => (isStopped = true));
  while (service !== null && !isStopped) {
    const url = `http://127.0.0.1:8080/health/ready/${service}`;
    docker(['compose', 'exec', '-T', 'gateway', 'wget', '-q', '-O', '/dev/null', url], { version, mayFail: true });
    await delay(100);
  }
  await stopped;
  docker(['rm', '--force', id]);
}

async function main([argument]) {
  const { HELIOGRAPH_VERSION: current = 'latest', HELIOGRAPH_PREVIOUS_VERSION: previous } = readSettings();
  const isRollback = argument === '--rollback';
  const version = isRollback ? previous : argument;
  if (!version || version.startsWith('-')) {
    console.error('usage: node docker/release.mjs VERSION, or node docker/release.mjs --rollback after a release');
    process.exit(2);
  }
  const { images, services } = productOf(version);
  ensureImages(images, version);
  if (!isRollback) {
    say(`migrating the schemas to ${version}`);
    docker(['compose', 'run', '--rm', '--no-deps', 'ops', 'migrate'], { version, isQuiet: false });
  }
  // Before the first container: the file is part of the definition of each of them.
  if (version !== current) writeSettings({ HELIOGRAPH_VERSION: version, HELIOGRAPH_PREVIOUS_VERSION: current });
  // A release starts with the workers, so that no job is published that no worker understands; a rollback ends with them.
  const workersFirst = [...services].sort((a, b) => Number(b.isWorker) - Number(a.isWorker));
  for (const service of isRollback ? workersFirst.reverse() : workersFirst) await roll(service, version);
  if (isRollback) {
    say(`restoring the SQL functions of ${version}`);
    docker(['compose', 'run', '--rm', '--no-deps', 'ops', 'migrate'], { version, isQuiet: false });
  }
  say(`${version} runs`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error('The containers that were not replaced are still running. Run the command again, or roll back.');
  process.exit(1);
}
