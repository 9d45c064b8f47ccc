import { createDataSource, databaseConfigSchema, poolOf, type MigrationSet } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { DataSource } from 'typeorm';
import { AlreadyClaimedError } from './already-claimed.error';
import { respondOnce } from './claimed-response';
import type { StreamedClaim } from './claim';
import { IdempotencyService } from './idempotency.service';
import { idempotencyMigrations } from './migration-set';

describe('a call with a streamed body', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let service: IdempotencyService;
  let keys = 0;
  beforeAll(async () => {
    database = await createTestDatabase([idempotencyMigrations] as MigrationSet[]);
    const config = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 4 });
    dataSource = await createDataSource(config, 'spec', []).initialize();
    service = new IdempotencyService(poolOf(dataSource));
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  interface Call {
    claim: StreamedClaim;
    replayed: boolean;
  }
  const callOf = (key: string): Call => {
    const claim: StreamedClaim = {
      callerId: '01900000-0000-7000-8000-000000000001',
      endpoint: 'spec',
      key,
      fingerprint: null,
      seal: null,
      isRepeat: false,
      isBegun: false,
      onReplay: () => (call.replayed = true),
    };
    const call = { claim, replayed: false };
    return call;
  };
  const run = async (call: Call, work: () => Promise<object>) => {
    const body = await service.run(call.claim, work);
    return { body, replayed: call.replayed };
  };
  const newKey = () => `key-${(keys += 1)}`;
  const upload = (key: string, body: string, refusal: AppError | null = null) => {
    const call = callOf(key);
    const { claim } = call;
    return run(call, () => {
      claim.fingerprint = body;
      if (claim.isRepeat) throw new AlreadyClaimedError();
      if (refusal) throw refusal;
      return store(claim, body, { first: body });
    });
  };
  const store = (claim: StreamedClaim, fingerprint: string, response: object) =>
    dataSource.transaction((transaction) =>
      respondOnce(transaction, { ...claim, fingerprint }, () => Promise.resolve(response)),
    );

  it('is executed once, and a repetition with the same body gets the first response', async () => {
    const key = newKey();
    expect(await upload(key, 'a')).toEqual({ body: { first: 'a' }, replayed: false });
    expect(await upload(key, 'a')).toEqual({ body: { first: 'a' }, replayed: true });
  });

  it('is rejected with another body', async () => {
    const key = newKey();
    await upload(key, 'a');
    await expect(upload(key, 'b')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('is rejected while the first call runs, with any body', async () => {
    const key = newKey();
    const responses = await Promise.allSettled([upload(key, 'a'), upload(key, 'b')]);
    expect(responses.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(responses[1]).toMatchObject({ reason: { code: 'IDEMPOTENCY_IN_PROGRESS' } });
  });

  it('gets the first response if another process was faster', async () => {
    const call = callOf(newKey());
    const late = run(call, async () => {
      call.claim.fingerprint = 'a';
      await store(call.claim, 'a', { first: 'theirs' });
      return store(call.claim, 'a', { first: 'ours' });
    });
    expect(await late).toEqual({ body: { first: 'theirs' }, replayed: true });
  });

  it('replays a permanent error if the body was complete', async () => {
    const key = newKey();
    const refusal = new AppError('MISSING_FILE', 'Send a file.');
    await expect(upload(key, 'a', refusal)).rejects.toBe(refusal);
    await expect(upload(key, 'a')).rejects.toMatchObject({
      code: 'MISSING_FILE',
      headers: { 'Idempotent-Replayed': 'true' },
    });
    await expect(upload(key, 'b')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('is executed again after a transient error, and after an error before the body was complete', async () => {
    const healing = newKey();
    await expect(upload(healing, 'a', new AppError('CHATAPP_UPSTREAM', 'Later.'))).rejects.toThrow('Later.');
    expect((await upload(healing, 'a')).replayed).toBe(false);
    const cut = newKey();
    const early = run(callOf(cut), () => Promise.reject(new AppError('INVALID_REQUEST', 'Cut off.')));
    await expect(early).rejects.toThrow('Cut off.');
    expect((await upload(cut, 'b')).replayed).toBe(false);
  });
});
