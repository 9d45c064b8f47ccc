import pg, { Client, Pool, types, type ClientConfig } from 'pg';
import { DataSource, type EntitySchema } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions';
import type { DatabaseConfig } from './database.config';
import { ObservedPool } from './observed-pool';

const INT8_OID = 20;

/** Entities of one service or library, in the form that TypeORM accepts. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- TypeORM's own signature
export type Entities = (Function | string | EntitySchema)[];

// Credits and counters are integers below 2^53, so bigint columns are read as numbers.
const typeParsers = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    oid === INT8_OID ? Number : format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid),
};

/**
 * When a server ends, idle connections emit `error`, and Node.js ends a process for an `error` event without a
 * listener. The pool and the users of a client notice the failure through their own listeners and queries.
 */
class PooledClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/** Connections of one process that differ from the configured ones. */
export interface PoolOptions {
  max?: number;
  lockTimeoutMs?: number;
}

/** The options of each connection of a process. See `createDataSource` for the time-outs. */
export function connectionOptions(
  config: DatabaseConfig,
  applicationName: string,
  options: Pick<PoolOptions, 'lockTimeoutMs'> = {},
): ClientConfig {
  const settings = {
    // JIT compilation is slower for short queries by key.
    jit: 'off',
    lock_timeout: options.lockTimeoutMs ?? config.DATABASE_LOCK_TIMEOUT_MS,
    ...(config.DATABASE_ROLE ? { role: config.DATABASE_ROLE } : {}),
  };
  return {
    connectionString: config.DATABASE_URL,
    application_name: applicationName,
    connectionTimeoutMillis: config.DATABASE_CONNECT_TIMEOUT_MS,
    statement_timeout: config.DATABASE_STATEMENT_TIMEOUT_MS,
    // A server can disappear without closing the connection. The client time-out is slightly longer than that of the
    // server.
    query_timeout: config.DATABASE_STATEMENT_TIMEOUT_MS + 2_000,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  };
}

/** Creates the connection pool of one process. */
export function createPool(config: DatabaseConfig, applicationName: string, options: PoolOptions = {}): Pool {
  const pool = new ObservedPool({
    ...connectionOptions(config, applicationName, options),
    max: options.max ?? config.DATABASE_POOL_SIZE,
    Client: PooledClient,
    types: typeParsers,
  });
  pool.on('error', () => undefined);
  return pool;
}

/** Options of a TypeORM data source that uses `pool`. Hot paths use the pool directly. */
export function dataSourceOptions(pool: Pool, entities: Entities): PostgresDataSourceOptions {
  // TypeORM calls the pool constructor of the driver, and a constructor may return an existing object.
  const SharedPool = function (): Pool {
    return pool;
  };
  return {
    type: 'postgres',
    driver: { ...pg, Pool: SharedPool },
    entities,
    synchronize: false,
    logging: false,
  };
}

/**
 * Creates a TypeORM data source, for tools and tests. Waiting for a connection is limited by the connect time-out; a
 * statement is canceled after the statement time-out.
 */
export function createDataSource(
  config: DatabaseConfig,
  applicationName: string,
  entities: Entities,
  pool: Pool = createPool(config, applicationName),
): DataSource {
  return new PooledDataSource(pool, entities);
}

class PooledDataSource extends DataSource {
  constructor(
    readonly pool: Pool,
    entities: Entities,
  ) {
    super(dataSourceOptions(pool, entities));
  }
}

/** Returns the connection pool that a data source was created with. Services inject `Pool` instead. */
export function poolOf(dataSource: DataSource): Pool {
  if (dataSource instanceof PooledDataSource) return dataSource.pool;
  throw new Error('The data source was not created by createDataSource().');
}
