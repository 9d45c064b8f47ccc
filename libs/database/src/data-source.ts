import { Client, types, type ClientConfig, type Pool } from 'pg';
import { DataSource, type EntitySchema } from 'typeorm';
import type { DatabaseSettings } from './database.config';

const INT8_OID = 20;

/** Entities of one service or library, as TypeORM takes them. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- TypeORM's own signature
export type Entities = (Function | string | EntitySchema)[];

// Credits and counters are integers below 2^53, so bigint columns may be numbers.
const typeParsers = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    oid === INT8_OID ? Number : format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid),
};

/**
 * A server that dies tells so on the connection at a moment when, between two uses, nobody may be listening, and Node
 * ends a process for that. The pool and whoever holds the client hear of it through their own listeners and queries.
 */
class PooledClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/**
 * The connection pool of one process. Waits at most the connect time-out for a connection, and cancels what runs
 * longer than the statement time-out.
 */
export function createDataSource(settings: DatabaseSettings, applicationName: string, entities: Entities): DataSource {
  return new DataSource({
    type: 'postgres',
    url: settings.DATABASE_URL,
    applicationName,
    entities,
    synchronize: false,
    logging: false,
    poolSize: settings.DATABASE_POOL_SIZE,
    connectTimeoutMS: settings.DATABASE_CONNECT_TIMEOUT_MS,
    extra: {
      statement_timeout: settings.DATABASE_STATEMENT_TIMEOUT_MS,
      // The server may be gone without a word: the client gives up a little after the server would have.
      query_timeout: settings.DATABASE_STATEMENT_TIMEOUT_MS + 2_000,
      idle_in_transaction_session_timeout: 60_000,
      keepAlive: true,
      // Compiling a plan pays for reports, not for look-ups by key.
      options: '-c jit=off',
      Client: PooledClient,
      types: typeParsers,
    },
  });
}

/** The pg pool below a data source: for the hot paths, which speak SQL and want no layer in between. */
export function poolOf(dataSource: DataSource): Pool {
  const { master } = dataSource.driver as unknown as { master: Pool };
  return master;
}
