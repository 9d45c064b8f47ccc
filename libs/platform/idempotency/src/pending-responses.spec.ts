import { createDataSource, databaseConfigSchema, poolOf, type MigrationSet } from '@heliograph/database';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { DataSource } from 'typeorm';
import { IdempotencyService, type PendingResponses } from './idempotency.service';
import type { Claim } from './claim';
import { idempotencyMigrations } from './migration-set';

describe('a claim without a response', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let service: IdempotencyService;
  beforeAll(async () => {
    database = await createTestDatabase([idempotencyMigrations] as MigrationSet[]);
    const config = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 2 });
    dataSource = await createDataSource(config, 'spec', []).initialize();
    service = new IdempotencyService(poolOf(dataSource));
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const callerId = '01900000-0000-7000-8000-000000000001';
  const claim = async (key: string, pending: string): Promise<Claim> => {
    await database.query(
      `INSERT INTO idempotency.answers (caller_id, endpoint, key, fingerprint, status, body, expires_at)
       VALUES ($1, 'spec', $2, 'f', 200, json_build_object('pending', $3::text), now() + interval '1 hour')`,
      [callerId, key, pending],
    );
    return { callerId, endpoint: 'spec', key, fingerprint: 'f', seal: null, isBegun: false, onReplay: () => undefined };
  };
  const stored = (key: string) => database.query('SELECT body FROM idempotency.answers WHERE key = $1', [key]);
  const repeat = async (call: Claim, response: Awaited<ReturnType<PendingResponses['responseOf']>>) => {
    let replayed = false;
    const again: Claim = { ...call, isBegun: false, onReplay: () => (replayed = true) };
    const body = await service.run<object>(again, () => Promise.resolve({ sent: 'again' }), {
      responseOf: (id) => Promise.resolve(typeof response === 'object' ? { ...response, id } : response),
    });
    return { body, replayed };
  };

  it('gets the response that the call has stored elsewhere', async () => {
    const response = await repeat(await claim('derived', 'one'), { sent: 'first' });
    expect(response).toEqual({ body: { sent: 'first', id: 'one' }, replayed: true });
  });

  it('is in progress while there is no response', async () => {
    const call = await claim('running', 'one');
    await expect(repeat(call, 'running')).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' });
    expect(await stored('running')).toHaveLength(1);
  });

  it('is released if the call had no effect', async () => {
    const call = await claim('undone', 'one');
    await expect(repeat(call, 'undone')).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' });
    expect(await repeat(call, 'undone')).toEqual({ body: { sent: 'again' }, replayed: false });
  });

  it('is not released by an earlier call with the same key', async () => {
    const call = await claim('claimed', 'second');
    await service.release(call, 'first');
    expect(await stored('claimed')).toHaveLength(1);
    await service.release(call, 'second');
    expect(await stored('claimed')).toEqual([]);
  });

  it('is completed with the response of the call', async () => {
    const call = await claim('completed', 'one');
    await service.storeResponse(call, { sent: 'first' });
    expect(await repeat(call, 'running')).toEqual({ body: { sent: 'first' }, replayed: true });
  });
});
