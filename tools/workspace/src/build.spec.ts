import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testServers } from '@heliograph/testing';
import { Client } from 'pg';
import { copiedIntoImage } from './dockerfile';
import { exampleSettings } from './example-settings';
import { outputOf, runCommand, workspaceRoot, WorkspaceCopy, type CommandResult } from './workspace-copy';

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const readManifest = (folder: string) =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;

// No more than the image's build has.
const workspace = new WorkspaceCopy(copiedIntoImage());
const apps = readdirSync(path.join(workspaceRoot, 'apps'));
let built: CommandResult;
beforeAll(async () => {
  built = await workspace.nx('run-many', '-t', 'build', '-p', apps.join(','), '--output-style=static');
}, 300_000);
afterAll(() => workspace.remove());

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: testServers.databaseUrl });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

describe.each(apps)('the build of %s', (app) => {
  /** What a server or an image gets: the build's folder and nothing around it. */
  const deployed = mkdtempSync(path.join(tmpdir(), 'heliograph-deployed-'));
  const database = `build_${randomBytes(6).toString('hex')}`;
  const databaseUrl = Object.assign(new URL(testServers.databaseUrl), { pathname: `/${database}` }).href;
  beforeAll(async () => {
    const folder = path.join(workspace.root, 'dist/apps', app);
    if (!existsSync(path.join(folder, 'package-lock.json'))) outputOf({ ...built, status: 1 });
    cpSync(folder, deployed, { recursive: true });
    outputOf(await runCommand(deployed, 'npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund']));
    await onServer(`CREATE DATABASE ${database}`);
  }, 300_000);
  afterAll(async () => {
    await onServer(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    rmSync(deployed, { recursive: true, force: true });
  });

  it('asks for packages of the root at the same versions, and for none that only development needs', () => {
    const root = readManifest(workspaceRoot);
    const { dependencies, devDependencies } = readManifest(deployed);
    expect(devDependencies).toBeUndefined();
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(['@nestjs/core', 'pg', 'reflect-metadata']));
    expect(root.dependencies).toMatchObject(dependencies);
    // Bundled or unused: not there.
    expect(Object.keys(dependencies).filter((name) => name.startsWith('@heliograph/'))).toEqual([]);
  });

  it('installs without development packages', () => {
    const { devDependencies = {} } = readManifest(workspaceRoot);
    const lock = JSON.parse(readFileSync(path.join(deployed, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: boolean }>;
    };
    expect(Object.entries(lock.packages).filter(([, { dev }]) => dev)).toEqual([]);
    const installed = Object.keys(devDependencies).filter((name) =>
      existsSync(path.join(deployed, 'node_modules', name)),
    );
    // Types that a production package itself depends on may be there.
    expect(installed.filter((name) => !name.startsWith('@types/'))).toEqual([]);
    expect(readdirSync(path.join(deployed, 'node_modules')).length).toBeGreaterThan(50);
  });

  it('migrates, starts, answers and ends with 0 on SIGTERM', async () => {
    const env = { ...exampleSettings, DATABASE_URL: databaseUrl, AMQP_URL: '', REDIS_URL: '', NODE_ENV: 'production' };
    outputOf(await runCommand(deployed, process.execPath, ['migrate.js'], env));

    const service = spawn(process.execPath, ['main.js'], {
      cwd: deployed,
      env: { PATH: process.env.PATH, ...env, ROLE: 'api', PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'info' },
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
        service.once('exit', () => reject(new Error(`it ended: ${output}`)));
      });
      for (const probe of ['live', 'ready']) {
        const response = await fetch(`http://127.0.0.1:${port}/health/${probe}`, { headers: { connection: 'close' } });
        expect([probe, response.status]).toEqual([probe, 200]);
      }
    } finally {
      service.kill('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);
  }, 60_000);
});
