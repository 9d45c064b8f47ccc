import type { PoolClient } from 'pg';
import { poolOf } from '@heliograph/database';
import { until } from '@heliograph/testing';
import { send } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';
import { SCHEDULED, V1Calls } from './v1-calls';

/** More than the calls of one organization that may wait. */
const TOO_MANY = 260;

describe('an organization whose credits somebody else has locked', () => {
  let email: EmailFixture;
  let v1: V1Calls;
  let busy: EmailTenant;
  let neighbour: EmailTenant;
  let operator: PoolClient;
  beforeAll(async () => {
    email = await EmailFixture.start();
    v1 = await V1Calls.start(email);
    [busy, neighbour] = [await email.tenant({ credits: 10_000 }), await email.tenant()];
  });
  afterAll(() => email.stop());
  beforeEach(async () => {
    operator = await poolOf(email.tenants.dataSource).connect();
    await operator.query('BEGIN');
    await operator.query('SELECT FROM credits.accounts WHERE workspace_id = $1 FOR UPDATE', [busy.workspaceId]);
  });
  afterEach(async () => {
    await operator.query('ROLLBACK');
    operator.release();
  });

  const single = ({ key }: EmailTenant) => send(email, key, { to: email.recipient(), subject: 'Hi', text: 'Hi' });
  const bulk = ({ key }: EmailTenant) =>
    v1.post(
      '/bulk',
      { subject: 'Hi', text: 'Hi', recipients: [{ to: email.recipient() }], scheduled_at: SCHEDULED },
      key,
    );

  it('gets 503, after its neighbour was served', async () => {
    const settled: string[] = [];
    const note = async (name: string, call: Promise<{ status: number }>) => {
      const { status } = await call;
      settled.push(`${name} ${status}`);
    };
    const calls = Array.from({ length: 4 }, () => [
      note('busy bulk', bulk(busy)),
      note('busy single', single(busy)),
    ]).flat();
    await until('the calls wait for the lock', async () => {
      const waiting = await email.rows(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`);
      return waiting.length > 0;
    });
    await Promise.all([
      note('single', single(neighbour)),
      note('bulk', bulk(neighbour)),
      note('list', v1.get('/messages', neighbour.key)),
    ]);
    const first = settled.slice(0, 3).sort();
    await Promise.all(calls);
    expect(first).toEqual(['bulk 202', 'list 200', 'single 200']);
    expect(new Set(settled.slice(3))).toEqual(new Set(['busy bulk 503', 'busy single 503']));
  });

  it('gets 429 with Retry-After when too many of its calls wait, and its neighbour does not', async () => {
    const calls = Array.from({ length: TOO_MANY }, () => bulk(busy));
    const refused = await Promise.race(calls);
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await bulk(neighbour)).status).toBe(202);
    await operator.query('ROLLBACK');
    const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
    // Calls that had waited for the lock until the time-out got 503.
    statuses.delete(503);
    expect(statuses).toEqual(new Set([202, 429]));
  });
});
