import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { EndedRequests, Health } from '@heliograph/service-kit';
import { firstIdOf, newId, partitionsMigrations } from '@heliograph/database';
import { Pool } from 'pg';
import { Registry } from 'prom-client';
import { authMigrations } from '../migration-set';
import { tenancyMigrations } from '@heliograph/tenancy';
import { messagingMigrations } from '@heliograph/messaging';
import type { LoggedRequest } from './logged-request';
import { RequestLogRepository, type RequestFilter } from './request-log.repository';
import { RequestRecorder } from './request-recorder';

const EVERYTHING: RequestFilter = {
  requestId: null,
  keyId: null,
  workspaceId: null,
  method: null,
  path: null,
  status: null,
  error: null,
  hasError: null,
  from: null,
  until: null,
};

describe('the request log', () => {
  let database: TestDatabase;
  let pool: Pool;
  let log: RequestLogRepository;
  let organizationId: string;
  beforeAll(async () => {
    database = await createTestDatabase([tenancyMigrations, messagingMigrations, authMigrations, partitionsMigrations]);
    pool = new Pool({ connectionString: database.url });
    log = new RequestLogRepository(pool);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  beforeEach(() => (organizationId = newId()));

  const call = (values: Partial<LoggedRequest> = {}): LoggedRequest => ({
    id: newId(),
    organizationId,
    workspaceId: null,
    keyId: newId(),
    requestId: newId(),
    service: 'sms-api',
    method: 'POST',
    path: '/api/v1/sms/send',
    status: 202,
    error: null,
    durationMs: 7,
    address: '127.0.0.1',
    requestBody: null,
    responseBody: null,
    ...values,
  });
  const list = async (filter: Partial<RequestFilter>, limit = 10, after: string | null = null) =>
    log.list(organizationId, { ...EVERYTHING, ...filter }, { limit, after });

  it('returns what was appended, newest first, in pages, and only of the organization', async () => {
    const calls = [call(), call({ address: null }), call({ requestBody: '{"a":"\\"…"}', error: 'NOT_FOUND' })];
    await log.append([...calls, call({ organizationId: newId() })]);
    const first = await list({}, 2);
    const second = await list({}, 2, first.next);
    expect([...first.items, ...second.items]).toEqual(calls.toReversed());
    expect(second.next).toBeNull();
    await expect(log.read(organizationId, calls[2]!.id)).resolves.toEqual(calls[2]);
    await expect(log.read(newId(), calls[2]!.id)).resolves.toBeNull();
  });

  it('finds calls by each property, also by a request id that its index does not contain yet', async () => {
    const refused = call({
      workspaceId: newId(),
      method: 'GET',
      path: '/api/me',
      status: 403,
      error: 'FORBIDDEN',
      requestId: 'null',
    });
    await log.append([call(), refused]);
    await pool.query('SELECT auth.summarize_requests()');
    await log.append([call(), call()]);
    const found = async (filter: Partial<RequestFilter>) => (await list(filter)).items;
    const { workspaceId, keyId, method, status, error, requestId } = refused;
    for (const filter of [
      { workspaceId },
      { keyId },
      { method },
      { status },
      { error },
      { requestId },
      { path: '/api/m' },
      { hasError: true },
      { requestId, keyId, hasError: true },
    ])
      expect(await found(filter)).toEqual([refused]);
    expect(await found({ hasError: false })).toHaveLength(3);
    expect(await found({ requestId, hasError: false })).toEqual([]);
    const recent = call({ requestId: 'order-2:@/+=' });
    await log.append([recent]);
    expect(await found({ requestId: 'order-2:@/+=' })).toEqual([recent]);
    const moment = new Date(Date.now() + 60_000);
    expect(await found({ from: moment })).toEqual([]);
    expect(await found({ until: new Date(Date.now() - 60_000) })).toEqual([]);
    expect(await found({ until: moment })).toHaveLength(5);
  });

  it('has no calls of more than 30 days ago, also in a partition that still exists', async () => {
    const prefix = firstIdOf(new Date(Date.now() - 31 * 86_400_000)).slice(0, 24);
    const id = `${prefix}${newId().slice(24)}`;
    await pool.query(
      `CREATE TABLE auth.requests_old PARTITION OF auth.requests FOR VALUES FROM ('${prefix}000000000000') TO ('${prefix}ffffffffffff')`,
    );
    await log.append([call({ id })]);
    expect((await list({ until: new Date() })).items).toEqual([]);
    await expect(log.read(organizationId, id)).resolves.toBeNull();
  });

  it('examines a bounded number of calls for a page, and continues on the next one', async () => {
    const old = call({ error: 'NOT_FOUND' });
    await log.append([old]);
    await pool.query(
      `INSERT INTO auth.requests (id, organization_id, key_id, request_id, service, method, path, status, duration_ms)
       SELECT (left($1, 24) || lpad(to_hex(n), 12, '0'))::uuid, $2, $2, n::text, 'sms-api', 'GET', '/', 200, 1
       FROM generate_series(1, 20000) AS n`,
      [firstIdOf(new Date(Date.now() + 1_000)), organizationId],
    );
    const first = await list({ hasError: true });
    expect(first.items).toEqual([]);
    expect(first.next).not.toBeNull();
    await expect(list({ hasError: true }, 10, first.next)).resolves.toEqual({ items: [old], next: null });
  });

  describe('under load', () => {
    const register = new Registry();
    const warnings: object[] = [];
    let ended: EndedRequests;
    let written: LoggedRequest[][];
    let release: () => void;
    let recorder: RequestRecorder;
    beforeEach(() => {
      register.clear();
      warnings.splice(0);
      ended = new EndedRequests();
      written = [];
      let isBlocked: Promise<void> | null = new Promise((resolve) => (release = resolve));
      const repository = {
        append: async (requests: LoggedRequest[]) => {
          await isBlocked;
          isBlocked = null;
          written.push(requests);
          if (requests.some(({ path }) => path === '/fails')) throw new Error('the database is unavailable');
        },
      } as unknown as RequestLogRepository;
      const logger = { warn: (fields: object) => void warnings.push(fields) } as never;
      recorder = new RequestRecorder(ended, repository, new Health('sms-api'), logger, register);
    });
    const end = (organization: string, path = '/'): void =>
      ended.report(
        { organizationId: organization, keyId: newId(), method: 'GET' } as never,
        { statusCode: 200, locals: {} } as never,
        { requestId: newId(), path, seconds: 0.001, traceId: undefined, isAborted: false },
      );
    const dropped = async () => (await register.getSingleMetric('request_log_dropped_total')!.get()).values[0]!.value;

    it('an organization with many calls displaces none of another one, and what is dropped is counted', async () => {
      for (let count = 0; count < 11_000; count++) end('noisy');
      end('quiet');
      await new Promise(setImmediate);
      release();
      await recorder.beforeApplicationShutdown();
      // 500 calls were being written, and 10,000 of the organization may wait.
      expect(written.flat()).toHaveLength(10_501);
      expect(written[1]?.map(({ organizationId: owner }) => owner).slice(0, 2)).toContain('quiet');
      expect(await dropped()).toBe(500);
    });

    it('a batch that the database refuses is dropped and counted, and the next one is written', async () => {
      release();
      for (let count = 0; count < 500; count++) end('one', '/fails');
      for (let count = 0; count < 500; count++) end('one');
      await recorder.beforeApplicationShutdown();
      expect(written.map(({ length }) => length)).toEqual([500, 500]);
      expect([warnings.length, await dropped()]).toEqual([1, 500]);
    });
  });
});
