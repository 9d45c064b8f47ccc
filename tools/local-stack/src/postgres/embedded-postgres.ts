import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { Client } from 'pg';
import type { Binaries } from './binaries';
import { stopLeftoverServer } from './leftover-server';
import { reachableBinaries, serverFolder } from './server-folder';
import { serverUser, type ServerUser } from './server-user';

const DATABASE = 'heliograph';
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 15_000;
const LOOK_AGAIN_MS = 15;
const RESTART_DELAY_MS = 500;

/** As durable as production: committed data survives any kill. */
const SETTINGS = {
  // The details of errors, such as a duplicate key, contain addresses.
  log_error_verbosity: 'terse',
  fsync: 'on',
  synchronous_commit: 'on',
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  max_connections: '200',
  jit: 'off',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
};

/** Stops the server of a killed stack, if there is one. Returns the folder of the database. */
export async function findDatabaseFolder(dataDir: string): Promise<string> {
  const folder = await serverFolder(dataDir, serverUser());
  await stopLeftoverServer(folder);
  return folder;
}

/** An embedded PostgreSQL with the real binaries on a free loopback port, restarted if it crashes. */
export class EmbeddedPostgres {
  private server: ChildProcess | null = null;
  private stopping = false;

  private constructor(
    private readonly binaries: Binaries,
    private readonly user: ServerUser | null,
    private readonly folder: string,
    private readonly log: FileHandle,
    readonly port: number,
  ) {}

  /** Creates the database if it does not exist. `onTrouble` is called when the server crashes and is restarted. */
  static async start(folder: string, logFile: string, onTrouble: (text: string) => void): Promise<EmbeddedPostgres> {
    const user = serverUser();
    const binaries = await reachableBinaries(user);
    const log = await open(logFile, 'a');
    if (!existsSync(path.join(folder, 'PG_VERSION'))) await initialize(binaries, user, folder, log, logFile);
    const postgres = new EmbeddedPostgres(binaries, user, folder, log, await freePort());
    try {
      await postgres.launch(onTrouble);
      await postgres.makeDatabase();
    } catch (error) {
      await postgres.stop();
      throw new Error(`PostgreSQL did not start. See ${logFile} for the reason.`, { cause: error });
    }
    return postgres;
  }

  get url(): string {
    return this.urlOf(DATABASE);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    const server = this.server;
    if (server && server.exitCode === null && server.signalCode === null) {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      // A fast shutdown closes sessions and writes everything; an immediate one follows only if it hangs.
      server.kill('SIGINT');
      const impatient = setTimeout(() => server.kill('SIGQUIT'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(impatient);
    }
    await this.log.close();
  }

  private async launch(onTrouble: (text: string) => void): Promise<void> {
    const flags = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = spawn(this.binaries.postgres, ['-D', this.folder, '-p', String(this.port), ...flags], {
      ...this.user,
      // Its own process group: Ctrl-C must stop the services first.
      detached: true,
      // The server writes its log itself: a pipe would break with this process.
      stdio: ['ignore', this.log.fd, this.log.fd],
      cwd: this.binaries.folder,
    });
    this.server = server;
    let failure: Error | null = null;
    server.once('error', (error) => (failure = error));
    server.once('exit', (code, signal) => (failure ??= new Error(`PostgreSQL exited (${signal ?? `code ${code}`})`)));
    await this.waitUntilItAnswers(() => failure);
    server.once('exit', () => {
      if (this.stopping) return;
      onTrouble('The database server crashed and is being restarted.');
      setTimeout(() => void this.relaunch(onTrouble), RESTART_DELAY_MS);
    });
  }

  private async relaunch(onTrouble: (text: string) => void): Promise<void> {
    if (this.stopping) return;
    try {
      // Children of the crashed server may still use the folder.
      await this.launch(onTrouble);
      onTrouble('The database server is running again.');
    } catch {
      setTimeout(() => void this.relaunch(onTrouble), RESTART_DELAY_MS);
    }
  }

  private async waitUntilItAnswers(failure: () => Error | null): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      const failed = failure();
      if (failed) throw failed;
      const client = new Client({ connectionString: this.urlOf('postgres'), connectionTimeoutMillis: 2_000 });
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.end();
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
      }
    }
  }

  private async makeDatabase(): Promise<void> {
    const client = new Client({ connectionString: this.urlOf('postgres') });
    await client.connect();
    try {
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
    } finally {
      await client.end();
    }
  }

  private urlOf(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }
}

/** Created in a temporary folder and renamed, so that an interrupted start leaves no incomplete database. */
async function initialize(
  { initdb, folder: cwd }: Binaries,
  user: ServerUser | null,
  folder: string,
  log: FileHandle,
  logFile: string,
): Promise<void> {
  const aside = `${folder}.new`;
  await rm(aside, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
  await mkdir(aside, { recursive: true });
  await chmod(aside, 0o700);
  if (user) await chown(aside, user.uid, user.gid);
  // The same collation on every platform. Only this machine can connect, so it needs no password.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const flags = ['--username=postgres', '--auth=trust', ...locale, `--pgdata=${aside}`];
  const child = spawn(initdb, flags, { ...user, stdio: ['ignore', log.fd, log.fd], cwd });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`The database could not be created. See ${logFile} for the reason.`);
  await rename(aside, folder);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
