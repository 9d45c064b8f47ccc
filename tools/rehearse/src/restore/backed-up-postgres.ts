import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PostgresServer } from '@heliograph/chaos';
import { poll } from '@heliograph/harness';
import { Client } from 'pg';

const STREAMING_TIMEOUT_MS = 60_000;
const RECOVERY_TIMEOUT_MS = 120_000;

/** A PostgreSQL server whose base backups and write-ahead log are in a backup folder, by the scripts of deploy/backup. */
export class BackedUpPostgres extends PostgresServer {
  readonly backups = path.join(this.folder, 'backups');
  private stream: ChildProcess | null = null;

  constructor(private readonly root: string) {
    super();
  }

  override async prepare(): Promise<void> {
    await super.prepare();
    mkdirSync(this.backups);
    this.giveToServer(this.backups);
    // The restore creates the data folder in it.
    this.giveToServer(this.folder);
  }

  // The data folder is lost for a while.
  protected override user(): { uid?: number; gid?: number; cwd: string } {
    return { ...super.user(), cwd: this.folder };
  }

  /** Starts stream-wal.sh. From then on a commit waits until its log is in the backup. */
  async startStream(): Promise<void> {
    this.stream = spawn(this.script('stream-wal.sh'), [], {
      ...this.user(),
      env: { PATH: `${this.binary('')}:${process.env['PATH']}`, ...this.backupEnvironment() },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const isStreaming = async (): Promise<boolean> =>
      (await this.query<{ found: boolean }>(`SELECT EXISTS (SELECT FROM pg_stat_replication) AS found`))[0]?.found ??
      false;
    if (!(await poll(isStreaming, { timeoutMs: STREAMING_TIMEOUT_MS })))
      throw new Error('stream-wal.sh does not stream.');
    await this.query(`ALTER SYSTEM SET synchronous_standby_names = 'pg_receivewal'`);
    await this.query('SELECT pg_reload_conf()');
  }

  async stopStream(): Promise<void> {
    const { stream } = this;
    this.stream = null;
    if (!stream || stream.exitCode !== null || stream.signalCode !== null) return;
    const ended = new Promise((resolve) => stream.once('exit', resolve));
    stream.kill('SIGTERM');
    await ended;
  }

  makeBaseBackup(): Promise<string> {
    return this.runTool(this.script('base-backup.sh'), [], this.backupEnvironment());
  }

  /** The disk of the server is lost. */
  async loseData(): Promise<void> {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }

  /** Restores everything that is in the backup, and starts the server. */
  async restoreAll(): Promise<void> {
    await this.stopStream();
    await this.runTool(this.script('restore.sh'), [this.data], this.backupEnvironment());
    await this.start();
    await untilPromoted(this.url);
    await this.startStream();
  }

  /** Starts another server on the state at a time. */
  async restoreAside(target: Date): Promise<RestoredServer> {
    const restored = new RestoredServer(this.root, this.backups, target);
    await restored.prepare();
    await restored.start();
    return restored;
  }

  override async remove(): Promise<void> {
    await this.stopStream();
    await super.remove();
  }

  query<R extends object>(text: string): Promise<R[]> {
    return queryOnce<R>(this.url, text);
  }

  private script(name: string): string {
    return path.join(this.root, 'deploy/backup', name);
  }

  private backupEnvironment(): Record<string, string> {
    return { BACKUP_DIR: this.backups, DATABASE_URL: this.url };
  }
}

/** A server with the state of another one at an earlier time. */
export class RestoredServer extends PostgresServer {
  constructor(
    private readonly root: string,
    private readonly backups: string,
    private readonly target: Date,
  ) {
    super();
  }

  protected override async createData(): Promise<void> {
    rmSync(this.data, { recursive: true });
    chmodSync(this.folder, 0o755);
    this.giveToServer(this.folder);
    const script = path.join(this.root, 'deploy/backup/restore.sh');
    await this.runTool(script, [this.data, this.target.toISOString()], { BACKUP_DIR: this.backups });
  }

  // The data folder does not exist before the restore.
  protected override user(): { uid?: number; gid?: number; cwd: string } {
    return { ...super.user(), cwd: this.folder };
  }

  // Nothing of the restored server is archived.
  protected override settings(): string[] {
    return [...super.settings(), 'synchronous_standby_names='];
  }
}

/** An empty server, for the restore of a dump. */
export async function emptyServer(): Promise<PostgresServer> {
  const server = new PostgresServer();
  await server.prepare();
  await server.start();
  return server;
}

/** Waits until a server has recovered and accepts writes. */
export async function untilPromoted(url: string): Promise<void> {
  const isPromoted = async (): Promise<boolean> => {
    try {
      const [row] = await queryOnce<{ recovering: boolean }>(url, 'SELECT pg_is_in_recovery() AS recovering');
      return row?.recovering === false;
    } catch {
      // It does not accept connections before it has reached a consistent state.
      return false;
    }
  };
  if (!(await poll(isPromoted, { timeoutMs: RECOVERY_TIMEOUT_MS }))) throw new Error('The recovery does not end.');
}

/** Runs one query on a connection of its own. */
export async function queryOnce<R extends object>(url: string, text: string): Promise<R[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}
