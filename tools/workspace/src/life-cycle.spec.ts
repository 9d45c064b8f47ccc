import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@heliograph/harness';
import { createTestDatabase, TcpProxy, testServers, until, type TestDatabase } from '@heliograph/testing';
import { Client } from 'pg';
import { exampleSettings } from './example-settings';
import { ServiceProcess } from './service-process.fixture';
import { outputOf, runCommand, workspaceRoot } from './workspace-copy';

/** The smallest service. What is tested here is the same in all of them. */
const APP = 'chatapp-hook';
const MIGRATION_LOCK = 7_236_100_417;
const SIGTERM_CODE = 128 + 15;

// In the workspace, so that the bundle finds node_modules.
mkdirSync(path.join(workspaceRoot, 'tmp'), { recursive: true });
const folder = mkdtempSync(path.join(workspaceRoot, 'tmp/life-cycle-'));
const running: ServiceProcess[] = [];
let database: TestDatabase;

beforeAll(async () => {
  const options = {
    root: workspaceRoot,
    outdir: folder,
    entryPoints: {
      main: path.join(workspaceRoot, 'apps', APP, 'src/main.ts'),
      migrate: path.join(workspaceRoot, 'apps', APP, 'src/migrate.ts'),
    },
  };
  const script = `import { bundle } from './tools/build/bundle.mjs'; await bundle(${JSON.stringify(options)});`;
  outputOf(await runCommand(workspaceRoot, process.execPath, ['--input-type=module', '-e', script]));
  database = await createTestDatabase([]);
  const env = { ...exampleSettings, DATABASE_URL: database.url };
  outputOf(await runCommand(folder, process.execPath, ['migrate.js'], env));
}, 120_000);
afterEach(async () => {
  await Promise.all(running.splice(0).map((child) => child.kill()));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

async function start(
  script: 'main.js' | 'migrate.js',
  settings: Record<string, string | undefined> = {},
): Promise<ServiceProcess> {
  const child = new ServiceProcess(folder, script, {
    ...exampleSettings,
    NODE_ENV: 'production',
    ALLOW_UNSAFE_SETTINGS: 'true',
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    DATABASE_URL: database.url,
    AMQP_URL: '',
    REDIS_URL: '',
    ...settings,
  });
  running.push(child);
  return child;
}

describe('a service without PostgreSQL', () => {
  it('is live and not ready, writes one JSON line a try, and continues when the server arrives', async () => {
    const proxy = await TcpProxy.start(testServers.databaseUrl);
    proxy.cut();
    try {
      const service = await start('main.js', { DATABASE_URL: proxy.through(database.url) });
      expect(await service.firstAnswer('/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } });
      const unavailable = { status: 'unavailable', checks: { database: 'down' } };
      expect(await service.get('/health/ready')).toMatchObject({ status: 503, body: unavailable });
      expect(await service.get(`/health/ready/${APP}`)).toMatchObject({ status: 503, body: unavailable });
      expect(await service.get('/health/ready/sms-api')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      const { status, headers, body } = await service.get('/api/chatapp/webhook');
      expect([status, body]).toEqual([503, expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' })]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(headers.get('x-request-id')).toEqual(expect.any(String));

      await service.untilLine('waiting for PostgreSQL', 2);
      expect(service.lines).toContainEqual(
        expect.objectContaining({
          service: APP,
          msg: 'waiting for PostgreSQL',
          attempt: 2,
          reason: expect.any(String) as string,
        }),
      );
      proxy.heal();
      // No call is refused between the two phases.
      await until('the service is ready', async () => (await service.get('/health/ready')).status === 200, {
        timeoutMs: 60_000,
      });
      service.signal('SIGTERM');
      expect(await service.ended()).toBe(0);
      expect(service.lines.length).toBeGreaterThan(3);
    } finally {
      await proxy.stop();
    }
  });

  it('ends at once when it is stopped', async () => {
    const service = await start('main.js', { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' });
    await service.untilLine('waiting for PostgreSQL');
    service.signal('SIGTERM');
    expect(await service.ended()).toBe(SIGTERM_CODE);
    expect(service.lines).toContainEqual(expect.objectContaining({ signal: 'SIGTERM' }));
  });
});

describe('a service without RabbitMQ', () => {
  it('is ready, because events wait in the outbox', async () => {
    const service = await start('main.js', { AMQP_URL: 'amqp://127.0.0.1:1' });
    await service.untilLine(`${APP} is listening`);
    expect(await service.get('/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'degraded', checks: { bus: 'down' } },
    });
    service.signal('SIGTERM');
    expect(await service.ended()).toBe(0);
    expect(service.lines.length).toBeGreaterThan(2);
  });
});

describe('a service that is stopped', () => {
  const answers = async (service: ServiceProcess) => {
    const live = await service.get('/health/live');
    return {
      ready: (await service.get('/health/ready')).status,
      live: live.status,
      connection: live.headers.get('connection'),
    };
  };

  it('is not ready and takes calls until the end of the delay, each with the last response of its connection', async () => {
    const service = await start('main.js', { SHUTDOWN_DELAY_MS: '3000' });
    await service.untilLine(`${APP} is listening`);
    expect(await answers(service)).toEqual({ ready: 200, live: 200, connection: 'keep-alive' });
    const stoppedAt = Date.now();
    service.signal('SIGTERM');
    await until('the service is not ready', async () => (await answers(service)).ready === 503);
    expect(await answers(service)).toEqual({ ready: 503, live: 200, connection: 'close' });
    expect(await service.ended()).toBe(0);
    expect(Date.now() - stoppedAt).toBeGreaterThanOrEqual(3_000);
    expect(service.lines.at(-1)).toMatchObject({ msg: `${APP} has stopped` });
  });

  it('skips the delay at the second signal', async () => {
    const service = await start('main.js', { SHUTDOWN_DELAY_MS: '600000' });
    await service.untilLine(`${APP} is listening`);
    service.signal('SIGTERM');
    await until('the service is not ready', async () => (await answers(service)).ready === 503);
    service.signal('SIGINT');
    expect(await service.ended()).toBe(0);
  });
});

describe('a migration job', () => {
  it('waits for PostgreSQL as long as MIGRATION_WAIT_MS allows', async () => {
    const job = await start('migrate.js', { DATABASE_URL: 'postgres://x@127.0.0.1:1/x', MIGRATION_WAIT_MS: '1000' });
    expect(await job.ended()).toBe(1);
    expect(job.lines.map(({ msg }) => msg)).toEqual([
      'waiting for PostgreSQL',
      'waiting for PostgreSQL',
      'the migration failed',
    ]);
  });

  it('does not wait if the server refuses its user', async () => {
    const missing = Object.assign(new URL(database.url), { pathname: '/missing' }).href;
    const job = await start('migrate.js', { DATABASE_URL: missing });
    expect(await job.ended()).toBe(1);
    expect(job.lines.map(({ msg }) => msg)).toEqual(['the migration failed']);
  });

  it('ends with the code of the signal and leaves no connection when it is stopped', async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const connections = async (): Promise<number | null> => {
      const { rowCount } = await client.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'migration %'",
      );
      return rowCount;
    };
    try {
      await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      const job = await start('migrate.js');
      await until('the job waits for another one', async () => (await connections()) === 1);
      job.signal('SIGTERM');
      expect(await job.ended()).toBe(SIGTERM_CODE);
      expect(job.lines.at(-1)).toMatchObject({ signal: 'SIGTERM', msg: expect.stringContaining('stopped') as string });
      expect(await connections()).toBe(0);
    } finally {
      await client.end();
    }
  });
});

describe('a service with an invalid configuration', () => {
  it('writes all problems as one JSON line', async () => {
    const service = await start('main.js', { DATABASE_URL: '', CHATAPP_APP_SECRET: '', PORT: 'x' });
    expect(await service.ended()).toBe(1);
    expect(service.lines).toEqual([
      expect.objectContaining({
        service: APP,
        msg: `${APP} did not start`,
        problems: [
          expect.stringMatching(/^PORT: must be a number\./),
          expect.stringMatching(/^DATABASE_URL: is not set\./),
          expect.stringMatching(/^CHATAPP_APP_SECRET: must be set,/),
        ],
      }),
    ]);
  });
});
