import { DynamicModule, Global, Injectable, Module, OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { ChangeFeed } from './change-feed';
import { createDataSource, createPool, type Entities } from './data-source';
import type { DatabaseSettings } from './database.config';

/** Closes last, because other providers may still write while they drain. */
@Injectable()
class DatabaseShutdown implements OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: ChangeFeed,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.changes.stop();
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}

/** Provides one connection pool, one TypeORM data source on it, and one change feed per process. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(settings: DatabaseSettings, applicationName: string, entities: Entities): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: Pool, useFactory: () => createPool(settings, applicationName) },
        {
          provide: DataSource,
          inject: [Pool],
          useFactory: (pool: Pool) => createDataSource(settings, applicationName, entities, pool).initialize(),
        },
        {
          provide: ChangeFeed,
          useFactory: () =>
            new ChangeFeed({ connectionString: settings.DATABASE_URL, application_name: `${applicationName} changes` }),
        },
        DatabaseShutdown,
      ],
      exports: [Pool, DataSource, ChangeFeed],
    };
  }
}
