import { DynamicModule, Global, Injectable, Module, OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule, type TypeOrmModuleOptions } from '@nestjs/typeorm';
import { Pool } from 'pg';
import { ChangeFeed } from './cache/change-feed';
import { CommitPools, HASTY_COMMITS } from './commit/commit-pools';
import { createPool, dataSourceOptions, type Entities } from './data-source';
import type { DatabaseConfig } from './database.config';

@Injectable()
class ChangeFeedShutdown implements OnApplicationShutdown {
  constructor(private readonly changes: ChangeFeed) {}

  async onApplicationShutdown(): Promise<void> {
    await this.changes.stop();
  }
}

/** Provides `Pool` and `CommitPools`. It is a separate module because `TypeOrmModule` imports it. */
@Module({})
class PoolModule {}

/**
 * Provides one connection pool, one TypeORM data source on it, and one change feed per process. Features declare their
 * entities with `TypeOrmModule.forFeature()`. The data source and its pool close after all other shutdown hooks of the
 * features, which may still write while they drain.
 */
@Global()
@Module({})
export class DatabaseModule {
  /** @param entities Entities that no feature module declares. */
  static forRoot(config: DatabaseConfig, applicationName: string, entities: Entities = []): DynamicModule {
    const pool: DynamicModule = {
      module: PoolModule,
      providers: [
        { provide: Pool, useFactory: () => createPool(config, applicationName) },
        {
          provide: CommitPools,
          inject: [Pool],
          useFactory: (patient: Pool) =>
            new CommitPools(createPool(config, `${applicationName} commits`, HASTY_COMMITS), patient),
        },
      ],
      exports: [Pool, CommitPools],
    };
    return {
      module: DatabaseModule,
      imports: [
        pool,
        TypeOrmModule.forRootAsync({
          imports: [pool],
          inject: [Pool],
          useFactory: (shared: Pool): TypeOrmModuleOptions => ({
            ...dataSourceOptions(shared, entities),
            autoLoadEntities: true,
            // The service waits for the database before it creates its modules.
            retryAttempts: 0,
          }),
        }),
      ],
      providers: [
        {
          provide: ChangeFeed,
          useFactory: () =>
            new ChangeFeed({ connectionString: config.DATABASE_URL, application_name: `${applicationName} changes` }),
        },
        ChangeFeedShutdown,
      ],
      exports: [PoolModule, ChangeFeed],
    };
  }
}
