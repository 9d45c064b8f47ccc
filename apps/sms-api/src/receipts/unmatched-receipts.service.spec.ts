import type { MigrationSet } from '@heliograph/database';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { Pool } from 'pg';
import { Registry } from 'prom-client';
import { smsApi } from '../sms-api.service';
import { ReceiptLag } from './receipt-lag';
import { UnmatchedReceiptsService } from './unmatched-receipts.service';

describe('unmatched receipts', () => {
  let database: TestDatabase;
  let pool: Pool;
  const registry = new Registry();
  const warnings: object[] = [];
  let service: UnmatchedReceiptsService;

  beforeAll(async () => {
    database = await createTestDatabase(smsApi.migrations as MigrationSet[]);
    pool = new Pool({ connectionString: database.url });
    const log = { warn: (fields: object) => void warnings.push(fields) };
    const days = { SMS_RECEIPT_DAYS: 7 };
    const lag = new ReceiptLag(new Registry());
    service = new UnmatchedReceiptsService(pool, { carriers: [] }, days, lag, log as never, registry);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const store = (id: string, seconds: number) =>
    pool.query(
      `INSERT INTO sms.unmatched_receipts (carrier, upstream_id, state, done_at, received_at)
       VALUES ('one', $1, 'delivered', now(), now() - $2 * interval '1 second')`,
      [id, seconds],
    );

  it('row 24: are counted and logged after a minute, and again when their number grows', async () => {
    await store('a', 10);
    await service.report();
    expect(warnings).toEqual([]);
    await store('b', 61);
    await service.report();
    await service.report();
    expect(warnings).toEqual([{ carrier: 'one', receipts: 1, upstreamId: 'b' }]);
    expect(await registry.metrics()).toContain('sms_receipts_unmatched{carrier="one"} 1');
    await store('c', 62);
    await service.report();
    expect(warnings).toHaveLength(2);
    await pool.query('DELETE FROM sms.unmatched_receipts');
    await service.report();
    expect(await registry.metrics()).not.toContain('sms_receipts_unmatched{');
  });

  it('are deleted when they are older than SMS_RECEIPT_DAYS', async () => {
    const day = 24 * 60 * 60;
    await store('newer', 7 * day - 60);
    await store('older', 7 * day + 60);
    await service.deleteOld();
    const { rows } = await pool.query('SELECT upstream_id AS id FROM sms.unmatched_receipts');
    expect(rows).toEqual([{ id: 'newer' }]);
  });
});
