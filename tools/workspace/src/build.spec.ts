import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { testServers } from '@heliograph/testing';
import { Client } from 'pg';
import { copiedIntoImage } from './dockerfile';
import { exampleSettings } from './example-settings';
import { outputOf, runCommand, workspaceRoot, WorkspaceCopy } from './workspace-copy';

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
}

type Role = 'api' | 'worker' | 'webhooks';

/** This app is installed as on a server, because it uses the most packages. */
const INSTALLED_APP = 'account-api';

// Only the files that are available to the build of the image.
const workspace = new WorkspaceCopy(copiedIntoImage());
/** The console is part of account-api, and the command line is a package of its own. */
const apps = readdirSync(path.join(workspaceRoot, 'apps')).filter((app) => !['cli', 'console'].includes(app));
const buildOf = (app: string) => path.join(workspace.root, 'dist/apps', app);

function readJson<T>(folder: string, file: string): T {
  return JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as T;
}
const readManifest = (folder: string) => readJson<Manifest>(folder, 'package.json');

beforeAll(async () => {
  const script = path.join(workspace.root, 'tools/build/build-app.mjs');
  outputOf(await runCommand(workspace.root, process.execPath, [script, ...apps]));
}, 300_000);
afterAll(() => workspace.remove());

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: testServers.databaseUrl });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** Migrates a new database with a build, starts the build, calls its health endpoints and stops it. */
async function runBuild(folder: string, roles: Role[] = ['api']): Promise<void> {
  const database = `build_${randomBytes(6).toString('hex')}`;
  const databaseUrl = Object.assign(new URL(testServers.databaseUrl), { pathname: `/${database}` }).href;
  await onServer(`CREATE DATABASE ${database}`);
  try {
    const env = {
      ...exampleSettings,
      DATABASE_URL: databaseUrl,
      AMQP_URL: '',
      REDIS_URL: '',
      NODE_ENV: 'production',
      ALLOW_UNSAFE_SETTINGS: 'true',
    };
    outputOf(await runCommand(folder, process.execPath, ['migrate.js'], env));
    for (const role of roles) await callHealth(folder, role, env);
  } finally {
    await onServer(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  }
}

async function callHealth(folder: string, role: Role, env: Record<string, string | undefined>): Promise<void> {
  const service = spawn(process.execPath, ['main.js'], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env, ROLE: role, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(service, 'exit');
  try {
    let output = '';
    const port = await new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        output += chunk.toString();
        const listening = /"port":(\d+)/.exec(output);
        if (listening) resolve(listening[1]!);
      };
      service.stdout.on('data', read);
      service.stderr.on('data', read);
      service.once('exit', () => reject(new Error(`the service exited: ${output}`)));
    });
    // Workers let the APIs go first.
    const niceness = getPriority();
    expect(getPriority(service.pid)).toBe(role === 'api' ? niceness : Math.max(niceness, 5));
    for (const probe of ['live', 'ready']) {
      const response = await fetch(`http://127.0.0.1:${port}/health/${probe}`, { headers: { connection: 'close' } });
      expect([probe, response.status]).toEqual([probe, 200]);
    }
    const check = await runCommand(folder, process.execPath, ['health.js'], { PORT: port });
    expect(check).toEqual({ status: 0, output: '' });
  } finally {
    service.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
}

describe.each(apps)('the build of %s', (app) => {
  it('depends on packages of the root at the same versions, and on no development package', () => {
    const root = readManifest(workspaceRoot);
    const { dependencies, devDependencies } = readManifest(buildOf(app));
    expect(devDependencies).toBeUndefined();
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(['@nestjs/core', 'pg', 'reflect-metadata']));
    expect(root.dependencies).toMatchObject(dependencies);
    // This package is part of the bundle.
    expect(Object.keys(dependencies).filter((name) => name.startsWith('@heliograph/'))).toEqual([]);
    const { packages } = readJson<{ packages: Record<string, { dev?: boolean }> }>(buildOf(app), 'package-lock.json');
    expect(Object.entries(packages).filter(([, { dev }]) => dev)).toEqual([]);
  });

  it('migrates, starts, responds and exits with 0 on SIGTERM', () => runBuild(buildOf(app)), 120_000);
});

describe('the health check of a build', () => {
  it('exits with 1 without a service on the port', async () => {
    const check = await runCommand(buildOf(INSTALLED_APP), process.execPath, ['health.js'], { PORT: '1' });
    expect(check).toEqual({ status: 1, output: '' });
  });
});

describe('the build of the operator commands', () => {
  it('lists its commands, with the packages of its own package.json', async () => {
    const script = path.join(workspace.root, 'tools/build/build-app.mjs');
    outputOf(await runCommand(workspace.root, process.execPath, [script, 'ops']));
    const { dependencies } = readManifest(buildOf('ops'));
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(['pg', 'yaml']));
    const output = outputOf(await runCommand(buildOf('ops'), process.execPath, ['main.js']));
    for (const command of ['migrate', 'provision', 'reconcile', 'requeue']) expect(output).toContain(`  ${command} `);
  }, 120_000);
});

describe('a build in production', () => {
  it('checks its configuration without starting, and lists all unsafe settings', async () => {
    const servers = { DATABASE_URL: 'postgres://x:y@db/x', AMQP_URL: 'amqp://x:y@mq', REDIS_URL: 'redis://x' };
    const safe = { ...exampleSettings, ...servers, NODE_ENV: 'production' };
    const check = (environment: Record<string, string | undefined>) =>
      runCommand(buildOf(INSTALLED_APP), process.execPath, ['main.js', '--check-config'], environment);
    expect(outputOf(await check(safe))).toContain('the configuration is valid');
    const { status, output } = await check({ ...safe, AMQP_URL: '', PUBLIC_BASE_URL: 'http://x.example' });
    expect(status).toBe(1);
    expect(output).toContain('AMQP_URL: must be set in production');
    expect(output).toContain('PUBLIC_BASE_URL: must be an https URL in production');
  });
});

describe('an installed build', () => {
  /** A server or an image receives only the folder of the build. */
  const deployed = mkdtempSync(path.join(tmpdir(), 'heliograph-deployed-'));
  afterAll(() => rmSync(deployed, { recursive: true, force: true }));

  it('runs with production packages only', async () => {
    cpSync(buildOf(INSTALLED_APP), deployed, { recursive: true });
    outputOf(await runCommand(deployed, 'npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund']));

    const { devDependencies = {} } = readManifest(workspaceRoot);
    const installed = Object.keys(devDependencies).filter((name) =>
      existsSync(path.join(deployed, 'node_modules', name)),
    );
    // Production packages can depend on packages that are development packages of the workspace too.
    const { packages } = readJson<{ packages: Record<string, object> }>(deployed, 'package-lock.json');
    expect(installed.filter((name) => !(`node_modules/${name}` in packages))).toEqual([]);
    expect(readdirSync(path.join(deployed, 'node_modules')).length).toBeGreaterThan(50);
    await runBuild(deployed, ['api', 'worker', 'webhooks']);
  }, 300_000);
});
