import { DynamicModule, Global, Inject, Injectable, Module, OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ChangeFeed } from './change-feed';
import { createDataSource, type Entities } from './data-source';
import type { DatabaseSettings } from './database.config';

/** Closes last: everything else may still write while it drains. */
@Injectable()
class DatabaseShutdown implements OnApplicationShutdown {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(ChangeFeed) private readonly changes: ChangeFeed,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.changes.stop();
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}

/** One data source and one change feed for the whole service. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(settings: DatabaseSettings, applicationName: string, entities: Entities): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: DataSource, useFactory: () => createDataSource(settings, applicationName, entities).initialize() },
        {
          provide: ChangeFeed,
          useFactory: () =>
            new ChangeFeed({ connectionString: settings.DATABASE_URL, application_name: `${applicationName} changes` }),
        },
        DatabaseShutdown,
      ],
      exports: [DataSource, ChangeFeed],
    };
  }
}
