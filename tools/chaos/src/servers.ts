import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@heliograph/harness';

/** The user `nobody` of Debian: PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65_534;
const TOOL_OUTPUT_BYTES = 64 * 1024 * 1024;

// Servers and their data must not outlive this process, however it ends.
const groups = new Set<number>();
const folders = new Set<string>();
process.on('exit', () => {
  for (const group of groups) process.kill(-group, 'SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A server that a fault may kill and start again on the same data. */
export interface KillableServer {
  readonly name: string;
  readonly url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** A real server of this run. */
export abstract class Server implements KillableServer {
  protected child: ChildProcess | null = null;
  protected port = 0;
  protected readonly folder = mkdtempSync(path.join(os.tmpdir(), 'heliograph-chaos-'));
  abstract readonly name: string;
  abstract readonly url: string;

  protected abstract spawn(): ChildProcess;

  async prepare(): Promise<void> {
    folders.add(this.folder);
    chmodSync(this.folder, 0o755);
    this.port = await freePort();
  }

  /** Retries: a server may refuse to start while processes of its predecessor still exit. */
  async start(): Promise<void> {
    for (const deadline = Date.now() + 90_000; Date.now() < deadline; await delay(50)) {
      if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) this.launch();
      if (await this.acceptsConnections()) return;
    }
    throw new Error(`${this.name} does not accept connections on port ${this.port}`);
  }

  private launch(): void {
    this.child = tracked(this.spawn());
  }

  /** Kills the server and all processes that it started. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.pid) process.kill(-child.pid, 'SIGKILL');
    await ended;
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
    folders.delete(this.folder);
  }

  private acceptsConnections(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('close', () => resolve(false)).setTimeout(1_000, () => socket.destroy());
      socket.once('connect', () => socket.destroy());
    });
  }
}

/** Registers a child process that leads a process group. */
function tracked(child: ChildProcess): ChildProcess {
  const { pid } = child;
  if (pid === undefined) return child;
  groups.add(pid);
  return child.once('exit', () => groups.delete(pid));
}

/** PostgreSQL with the durability settings of production. */
export class PostgresServer extends Server {
  readonly name = 'PostgreSQL';
  protected readonly data = path.join(this.folder, 'data');

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  override async prepare(): Promise<void> {
    await super.prepare();
    mkdirSync(this.data);
    this.giveToServer(this.data);
    await this.createData();
  }

  /** Creates the data of the server. */
  protected async createData(): Promise<void> {
    const options = ['-D', this.data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
    await this.runTool('initdb', options);
  }

  /** Runs a program of PostgreSQL as the user of the server, or another one with the programs of PostgreSQL in its PATH. */
  runTool(program: string, args: readonly string[], environment: Record<string, string> = {}): Promise<string> {
    const file = program.includes('/') ? program : this.binary(program);
    const env = { PATH: `${this.binary('')}:${process.env['PATH']}`, LC_ALL: 'C', ...environment };
    return new Promise((resolve, reject) => {
      execFile(file, args, { ...this.user(), env, maxBuffer: TOOL_OUTPUT_BYTES }, (error, stdout, stderr) =>
        error ? reject(new Error(`${program} failed: ${stderr}`)) : resolve(stdout),
      );
    });
  }

  /** The path of a program of PostgreSQL. */
  binary(program: string): string {
    const { POSTGRES_BINARIES } = process.env;
    if (!POSTGRES_BINARIES) throw new Error('POSTGRES_BINARIES must be the folder that contains postgres and initdb');
    return path.join(POSTGRES_BINARIES, program);
  }

  protected giveToServer(folder: string): void {
    if (process.getuid?.() === 0) chownSync(folder, UNPRIVILEGED, UNPRIVILEGED);
  }

  /** Settings of the server. */
  protected settings(): string[] {
    return ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
  }

  protected spawn(): ChildProcess {
    const options = this.settings().flatMap((setting) => ['-c', setting]);
    return spawn(this.binary('postgres'), ['-D', this.data, '-p', String(this.port), ...options], {
      ...this.user(),
      detached: true,
      stdio: 'ignore',
      env: { LC_ALL: 'C' },
    });
  }

  protected user(): { uid?: number; gid?: number; cwd: string } {
    return process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED, cwd: this.data } : { cwd: this.data };
  }

  override async kill(): Promise<void> {
    await super.kill();
    rmSync(path.join(this.data, 'postmaster.pid'), { force: true });
  }
}

export class RedisServer extends Server {
  readonly name = 'Redis';

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  protected spawn(): ChildProcess {
    return spawn(
      'redis-server',
      ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', this.folder],
      {
        detached: true,
        stdio: 'ignore',
      },
    );
  }
}

/** A separate RabbitMQ node with its own port mapper. */
export class RabbitServer extends Server {
  readonly name = 'RabbitMQ';
  protected distributionPort = 0;
  protected mapperPort = 0;
  private mapper: ChildProcess | null = null;
  private static readonly binary = '/usr/lib/rabbitmq/bin/rabbitmq-server';

  get url(): string {
    return `amqp://guest:guest@127.0.0.1:${this.port}`;
  }

  override async prepare(): Promise<void> {
    await super.prepare();
    this.distributionPort = await freePort();
    this.mapperPort = await this.startMapper();
    writeFileSync(path.join(this.folder, 'rabbitmq.conf'), `${this.settings().join('\n')}\n`);
  }

  /** Starts the port mapper of the node; resolves with its port. */
  protected async startMapper(): Promise<number> {
    const port = await freePort();
    // A port mapper that the broker starts by itself would outlive it.
    const address = ['-port', String(port), '-address', '127.0.0.1'];
    this.mapper = tracked(spawn('epmd', address, { stdio: 'ignore', detached: true }));
    return port;
  }

  /** The lines of rabbitmq.conf. */
  protected settings(): string[] {
    return [`listeners.tcp.1 = 127.0.0.1:${this.port}`, 'disk_free_limit.absolute = 50MB'];
  }

  /** The folder with the cookie, which the nodes of a cluster share. */
  protected get home(): string {
    return this.folder;
  }

  get nodeName(): string {
    return `chaos${this.port}@localhost`;
  }

  /** The broker loses all that it has stored, as a new one. */
  forget(): void {
    rmSync(path.join(this.folder, 'mnesia'), { recursive: true, force: true });
  }

  override async remove(): Promise<void> {
    await super.remove();
    this.mapper?.kill('SIGKILL');
  }

  protected spawn(): ChildProcess {
    return spawn(RabbitServer.binary, [], {
      detached: true,
      stdio: 'ignore',
      cwd: this.folder,
      env: {
        PATH: process.env['PATH'],
        HOME: this.home,
        LANG: 'C.UTF-8',
        RABBITMQ_NODENAME: this.nodeName,
        RABBITMQ_DIST_PORT: String(this.distributionPort),
        RABBITMQ_CONFIG_FILE: path.join(this.folder, 'rabbitmq.conf'),
        RABBITMQ_MNESIA_BASE: path.join(this.folder, 'mnesia'),
        RABBITMQ_LOG_BASE: path.join(this.folder, 'log'),
        RABBITMQ_ENABLED_PLUGINS_FILE: path.join(this.folder, 'enabled_plugins'),
        RABBITMQ_PID_FILE: path.join(this.folder, 'pid'),
        ERL_EPMD_PORT: String(this.mapperPort),
        ERL_EPMD_ADDRESS: '127.0.0.1',
      },
    });
  }
}
