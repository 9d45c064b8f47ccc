import { newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { LaneObserver } from '@heliograph/fairness';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { Pool } from 'pg';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import type { CampaignChannel } from '../campaign-channel';
import { CampaignRunner } from './campaign-runner';
import { campaignsMigrations } from '../migration-set';
import { RunsRepository } from './runs.repository';

const silent = { warn: () => undefined } as never;
const observer = () => new LaneObserver(new Registry(), silent);

describe('a campaign that is due', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let pool: Pool;
  beforeAll(async () => {
    database = await createTestDatabase([campaignsMigrations]);
    dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    pool = new Pool({ connectionString: database.url, max: 2 });
  });
  afterAll(async () => {
    await dataSource.destroy();
    await pool.end();
    await database.drop();
  });

  it('does not start if it was postponed after a worker had claimed it', async () => {
    const runs = new RunsRepository(pool);
    const id = newId();
    await pool.query(
      `INSERT INTO campaigns.campaigns (id, organization_id, workspace_id, channel, name, status, content, audience)
       VALUES ($1, $1, $1, 'sms', 'Spring', 'scheduled', '{}', '{}')`,
      [id],
    );
    const request = { held: [], onlyOthers: false };
    expect(await runs.claimAcrossTenants('sms', request, 30_000)).toMatchObject({ id });
    await pool.query(`UPDATE campaigns.campaigns SET due_at = now() + interval '1 day' WHERE id = $1`, [id]);
    expect(await runs.continueStart(dataSource, id)).toBeNull();
    const { rows } = await pool.query('SELECT status FROM campaigns.campaigns WHERE id = $1', [id]);
    expect(rows).toEqual([{ status: 'scheduled' }]);
  });

  it('continues if the workspace was topped up after its credits were used up', async () => {
    const stops: string[] = [];
    let position = 0;
    const due = [
      {
        id: newId(),
        organizationId: newId(),
        startedAt: new Date(),
        dueAt: new Date(),
        sendWindow: null,
        ratePerMinute: null,
      },
    ];
    const runs = {
      claimAcrossTenants: () => Promise.resolve(due.pop() ?? null),
      zones: () => Promise.resolve(position === 0 ? [{ zone: 'UTC', position: 0, size: 1 }] : []),
      members: () => Promise.resolve([{ phone: '+919811111111', consent: { sms: 'unknown' }, attributes: {} }]),
      lockRunning: () => Promise.resolve(true),
      advance: () => Promise.resolve(void (position = 1)),
      stop: (_source: unknown, _id: string, status: string) => Promise.resolve(void stops.push(status)),
      release: () => Promise.resolve(),
    };
    let accepts = 0;
    const channel = {
      name: 'sms',
      begin: () => Promise.resolve({}),
      batchSize: () => 10,
      compose: () => Promise.resolve([{ kind: 'message', row: {}, credits: 1, segments: 1 }]),
      accept: () =>
        accepts++ === 0
          ? Promise.reject(new AppError('INSUFFICIENT_CREDITS', 'Top up.'))
          : Promise.resolve({ suppressed: 0 }),
      committed: () => undefined,
      hasWaiting: () => Promise.resolve(false),
    } as unknown as CampaignChannel;
    const transaction = { transaction: (work: (manager: object) => Promise<unknown>) => work({}) };
    const balances = { query: () => Promise.resolve({ rows: [{ balance: 5 }] }) };
    const sweeper = { sweep: () => Promise.resolve(true) } as never;
    const runner = new CampaignRunner(
      runs as never,
      sweeper,
      transaction as never,
      balances as never,
      channel,
      silent,
      observer(),
    );
    await runner.runDue();
    await runner.idle();
    expect([accepts, stops]).toEqual([2, ['completed']]);
  });
});
