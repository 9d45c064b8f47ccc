import { JOB_KINDS } from '@heliograph/contracts';
import { newId, testIdOf } from '@heliograph/database';
import { CarrierPool } from './carrier-pool';

describe('the carrier of a message', () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const pool = new CarrierPool([], log, { single: 1, bulk: 1, campaign: 1 });

  it.each(JOB_KINDS)('is the test carrier for a test organization, and none of the others (%s)', async (kind) => {
    const lane = { kind, organizationId: testIdOf(newId()) };
    expect(await pool.acquire('US', lane, 0)).toMatchObject({ name: 'test' });
  });

  it.each(JOB_KINDS)('is never the test carrier for a live organization (%s)', async (kind) => {
    expect(await pool.acquire('US', { kind, organizationId: newId() }, 0)).toBeNull();
    expect(await pool.acquire('US', { kind, organizationId: null }, 0)).toBeNull();
  });

  it('is none while the process stops', async () => {
    await pool.stop();
    expect(await pool.acquire('US', { kind: 'single', organizationId: testIdOf(newId()) }, 0)).toBeNull();
  });
});
