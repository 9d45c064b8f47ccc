import { rmSync } from 'node:fs';
import { PostgresServer, type KillableServer } from '@heliograph/chaos';
import { freePort, poll } from '@heliograph/harness';
import { Client } from 'pg';
import { TcpSwitch } from './tcp-switch';

const STREAMING_TIMEOUT_MS = 60_000;

class Primary extends PostgresServer {
  get tcpPort(): number {
    return this.port;
  }

  async query(text: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }
}

class Replica extends PostgresServer {
  constructor(private readonly primary: Primary) {
    super();
  }

  get tcpPort(): number {
    return this.port;
  }

  /** Copies the primary. `-R` writes the settings of a standby. */
  protected override async createData(): Promise<void> {
    rmSync(this.data, { recursive: true });
    this.giveToServer(this.folder);
    await this.runTool('pg_basebackup', [
      '-R',
      '--checkpoint=fast',
      '--no-sync',
      `--dbname=${this.primary.url}?application_name=replica`,
      `--pgdata=${this.data}`,
    ]);
  }

  // A commit of the promoted replica waits for no other server.
  protected override settings(): string[] {
    return [...super.settings(), 'synchronous_standby_names='];
  }

  protected override user(): { uid?: number; gid?: number; cwd: string } {
    return { ...super.user(), cwd: this.folder };
  }

  async promote(): Promise<void> {
    await this.runTool('pg_ctl', ['promote', '--wait', '-D', this.data]);
  }
}

/** A primary and a streaming replica behind one address, which leads to the primary. */
export class ReplicatedPostgres implements KillableServer {
  readonly name = 'PostgreSQL';
  private readonly primary = new Primary();
  private readonly replica = new Replica(this.primary);
  private address: TcpSwitch | null = null;
  private port = 0;
  private promoted = false;

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  async prepare(): Promise<void> {
    await this.primary.prepare();
    this.port = await freePort();
  }

  async start(): Promise<void> {
    await (this.promoted ? this.replica : this.primary).start();
    this.address ??= await TcpSwitch.listen(this.port, [this.primary.tcpPort]);
  }

  /** Creates the replica. From then on a commit waits until the replica has its log. */
  async startReplica(): Promise<void> {
    await this.replica.prepare();
    await this.replica.start();
    const isStreaming = async (): Promise<boolean> =>
      (await this.primary.query('SELECT FROM pg_stat_replication')).length > 0;
    if (!(await poll(isStreaming, { timeoutMs: STREAMING_TIMEOUT_MS })))
      throw new Error('The replica does not stream.');
    await this.primary.query(`ALTER SYSTEM SET synchronous_standby_names = 'replica'`);
    await this.primary.query('SELECT pg_reload_conf()');
  }

  async kill(): Promise<void> {
    await (this.promoted ? this.replica : this.primary).kill();
  }

  /** Promotes the replica and directs the address to it, as an operator of PostgreSQL does. */
  async failOver(): Promise<void> {
    await this.replica.promote();
    this.promoted = true;
    this.address?.direct([this.replica.tcpPort]);
  }

  async remove(): Promise<void> {
    await this.address?.close();
    await Promise.all([this.primary.remove(), this.replica.remove()]);
  }
}
