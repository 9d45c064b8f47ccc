import { createDataSource, databaseSettings, poolOf, type MigrationSet } from '@heliograph/database';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { DataSource } from 'typeorm';
import { IdempotencyService } from './idempotency.service';
import type { IdempotentCall } from './idempotent-call';
import { idempotencyEntities, idempotencyMigrations } from './migration-set';

describe('a key that is given back', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let service: IdempotencyService;
  beforeAll(async () => {
    database = await createTestDatabase([idempotencyMigrations] as MigrationSet[]);
    const settings = databaseSettings.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 2 });
    dataSource = await createDataSource(settings, 'spec', idempotencyEntities).initialize();
    service = new IdempotencyService(dataSource, poolOf(dataSource));
  });
  afterAll(async () => {
    service.onApplicationShutdown();
    await dataSource.destroy();
    await database.drop();
  });

  const callerId = '01900000-0000-7000-8000-000000000001';
  const held = async (key: string, pending: string): Promise<IdempotentCall> => {
    await database.query(
      `INSERT INTO idempotency.answers (caller_id, endpoint, key, fingerprint, status, body, expires_at)
       VALUES ($1, 'spec', $2, 'f', 200, json_build_object('pending', $3::text), now() + interval '1 hour')`,
      [callerId, key, pending],
    );
    return { callerId, endpoint: 'spec', key, fingerprint: 'f' };
  };
  const keys = async (): Promise<string[]> =>
    (await database.query<{ key: string }>('SELECT key FROM idempotency.answers ORDER BY key')).map(({ key }) => key);

  it('is free for the next call', async () => {
    await service.forget(await held('free', 'one'));
    expect(await keys()).toEqual([]);
  });

  it('stays where a next call has claimed it already', async () => {
    const call = await held('claimed', 'second');
    await service.forget(call, 'first');
    expect(await keys()).toEqual(['claimed']);
    await service.forget(call, 'second');
    expect(await keys()).toEqual([]);
  });
});
