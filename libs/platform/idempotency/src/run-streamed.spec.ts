import { createDataSource, databaseSettings, poolOf, type MigrationSet } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { DataSource } from 'typeorm';
import { claimAnswer, keepAnswer } from './claimed-answer';
import { IdempotencyService, type StreamedCall } from './idempotency.service';
import { idempotencyEntities, idempotencyMigrations } from './migration-set';

describe('a call whose body is kept nowhere', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let service: IdempotencyService;
  let keys = 0;
  beforeAll(async () => {
    database = await createTestDatabase([idempotencyMigrations] as MigrationSet[]);
    const settings = databaseSettings.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 4 });
    dataSource = await createDataSource(settings, 'spec', idempotencyEntities).initialize();
    service = new IdempotencyService(dataSource, poolOf(dataSource));
  });
  afterAll(async () => {
    service.onApplicationShutdown();
    await dataSource.destroy();
    await database.drop();
  });

  const callOf = (key: string): StreamedCall => ({
    callerId: '01900000-0000-7000-8000-000000000001',
    endpoint: 'spec',
    key,
    fingerprint: null,
  });
  const newKey = () => `key-${(keys += 1)}`;
  /** A first call, or a repeat, with that body. */
  const upload = (key: string, body: string, refusal: AppError | null = null) => {
    const call = callOf(key);
    return service.runStreamed(
      call,
      async () => {
        call.fingerprint = body;
        if (refusal) throw refusal;
        return dataSource.transaction(async (transaction) => {
          if (!(await claimAnswer(transaction, { ...call, fingerprint: body }))) return 'repeated';
          await keepAnswer(transaction, { ...call, fingerprint: body }, { first: body });
          return { first: body };
        });
      },
      () => {
        call.fingerprint = body;
        return Promise.resolve();
      },
    );
  };

  it('is done once, and a repeat with the same body gets the first answer', async () => {
    const key = newKey();
    expect(await upload(key, 'a')).toEqual({ body: { first: 'a' }, replayed: false });
    expect(await upload(key, 'a')).toEqual({ body: { first: 'a' }, replayed: true });
  });

  it('is refused when it comes with another body', async () => {
    const key = newKey();
    await upload(key, 'a');
    await expect(upload(key, 'b')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('is refused while the first still runs, whatever its body', async () => {
    const key = newKey();
    const answers = await Promise.allSettled([upload(key, 'a'), upload(key, 'b')]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(answers[1]).toMatchObject({ reason: { code: 'IDEMPOTENCY_IN_PROGRESS' } });
  });

  it('gets the first answer when another process was faster', async () => {
    const key = newKey();
    const call = callOf(key);
    const late = service.runStreamed(
      call,
      async () => {
        call.fingerprint = 'a';
        await dataSource.transaction(async (transaction) => {
          await claimAnswer(transaction, { ...call, fingerprint: 'a' });
          await keepAnswer(transaction, { ...call, fingerprint: 'a' }, { first: 'theirs' });
        });
        return 'repeated';
      },
      () => Promise.reject(new Error('the body has been read')),
    );
    expect(await late).toEqual({ body: { first: 'theirs' }, replayed: true });
  });

  it('is refused again as it was, if the refusal is for good and the body was known', async () => {
    const key = newKey();
    const refusal = new AppError('MISSING_FILE', 'Send a file.');
    await expect(upload(key, 'a', refusal)).rejects.toBe(refusal);
    await expect(upload(key, 'a')).rejects.toMatchObject({
      code: 'MISSING_FILE',
      headers: { 'Idempotent-Replayed': 'true' },
    });
    await expect(upload(key, 'b')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('is a first one again after a refusal that can heal, and after one that came before the body was known', async () => {
    const healing = newKey();
    await expect(upload(healing, 'a', new AppError('CHATAPP_UPSTREAM', 'Later.'))).rejects.toThrow('Later.');
    expect((await upload(healing, 'a')).replayed).toBe(false);
    const cut = newKey();
    const early = service.runStreamed(
      callOf(cut),
      () => Promise.reject(new AppError('INVALID_REQUEST', 'Cut off.')),
      () => Promise.resolve(),
    );
    await expect(early).rejects.toThrow('Cut off.');
    expect((await upload(cut, 'b')).replayed).toBe(false);
  });
});
