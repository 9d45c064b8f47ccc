import { Client, type ClientConfig } from 'pg';

/** The NOTIFY channel that the triggers of `notifyChanges` write to. */
export const CHANGE_CHANNEL = 'heliograph_changes';
const RECONNECT_MS = 500;

export interface Change {
  /** `schema.table` */
  table: string;
  /** Organization of the row; `null` if the table has no organization column. */
  organizationId: string | null;
}

/**
 * Reports committed changes of cached tables to every process, through LISTEN and NOTIFY of PostgreSQL. While the
 * connection is down, no change is reported, so `live` is false and caches shorten the lifetime of their entries.
 */
export class ChangeFeed {
  private readonly listeners = new Set<(change: Change | 'unknown') => void>();
  private client: Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;
  live = false;

  constructor(private readonly config: ClientConfig) {}

  /** Connects in the background, and retries while the database is unavailable. */
  start(): void {
    void this.connect();
  }

  /** `unknown` means that changes may have been missed, so all entries must be removed. */
  subscribe(listener: (change: Change | 'unknown') => void): void {
    this.listeners.add(listener);
    if (!this.client && !this.timer && !this.stopped) this.start();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    const { client } = this;
    this.client = null;
    this.live = false;
    await client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    this.timer = null;
    const client = new Client({ ...this.config, keepAlive: true, connectionTimeoutMillis: 3_000 });
    this.client = client;
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ payload = '' }) => this.receive(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANGE_CHANNEL}`);
      if (this.stopped) return;
      this.emit('unknown');
      this.live = true;
    } catch {
      this.lost(client);
    }
  }

  private lost(client: Client): void {
    if (this.client !== client || this.stopped) return;
    this.client = null;
    this.live = false;
    client.end().catch(() => undefined);
    this.timer = setTimeout(() => void this.connect(), RECONNECT_MS);
  }

  private receive(payload: string): void {
    const [table = '', organizationId = ''] = payload.split(' ');
    this.emit({ table, organizationId: organizationId || null });
  }

  private emit(change: Change | 'unknown'): void {
    for (const listener of this.listeners) listener(change);
  }
}

/**
 * Returns the SQL of a migration that adds a trigger: it reports every written row of the table to the change feed.
 * With `organizationColumn`, only entries of that organization are invalidated.
 */
export function notifyChanges(table: string, organizationColumn: string | null): string[] {
  const [schema, name] = table.split('.');
  const tenant = (row: 'NEW' | 'OLD') =>
    organizationColumn ? ` || ' ' || coalesce(${row}.${organizationColumn}::text, '')` : '';
  return [
    `CREATE FUNCTION ${table}_changed() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF TG_OP = 'DELETE' THEN
         PERFORM pg_notify('${CHANGE_CHANNEL}', '${table}'${tenant('OLD')});
       ELSE
         PERFORM pg_notify('${CHANGE_CHANNEL}', '${table}'${tenant('NEW')});
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE TRIGGER ${name}_changed AFTER INSERT OR UPDATE OR DELETE ON ${schema}.${name}
     FOR EACH ROW EXECUTE FUNCTION ${table}_changed()`,
  ];
}
