import { contactsMigrations } from '@heliograph/contacts';
import { createDataSource, databaseConfigSchema, newId, poolOf } from '@heliograph/database';
import { LaneObserver } from '@heliograph/fairness';
import { messagingMigrations } from '@heliograph/messaging';
import { createLogger } from '@heliograph/service-kit';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { Pool } from 'pg';
import { Registry } from 'prom-client';
import type { DataSource, EntityManager } from 'typeorm';
import type { CampaignOwner, Recipient } from '../campaign';
import type { CampaignChannel } from '../campaign-channel';
import { CampaignsRepository } from '../campaigns.repository';
import { campaignsMigrations } from '../migration-set';
import { CampaignRunner } from './campaign-runner';
import { CampaignSweeper } from './campaign-sweeper';
import { RunsRepository } from './runs.repository';

interface Accepted {
  organizationId: string;
  campaignId: string;
  contactId: string;
}

/** A channel whose messages are rows of a table. */
class RecordingChannel {
  readonly name = 'sms';
  readonly batches: string[] = [];

  begin(owner: CampaignOwner, _content: unknown, campaignId: string) {
    return Promise.resolve({ organizationId: owner.organizationId, campaignId });
  }

  batchSize(): number {
    return 100;
  }

  compose(call: Omit<Accepted, 'contactId'>, recipients: readonly Recipient[]) {
    return Promise.resolve(
      recipients.map(({ contact }) => ({
        kind: 'message',
        row: { ...call, contactId: contact.id },
        credits: 1,
        segments: 1,
      })),
    );
  }

  async accept(transaction: EntityManager, rows: readonly Accepted[]) {
    const [first] = rows;
    if (first) this.batches.push(first.organizationId);
    await transaction.query(
      'INSERT INTO accepted SELECT * FROM json_to_recordset($1) AS r ("campaignId" uuid, "contactId" uuid)',
      [JSON.stringify(rows)],
    );
    return { suppressed: 0 };
  }

  committed(): void {}

  hasWaiting(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

describe('campaigns of several organizations', () => {
  let database: TestDatabase;
  let settings: ReturnType<typeof databaseConfigSchema.parse>;
  let dataSource: DataSource;
  let pool: Pool;
  let channel: RecordingChannel;
  const log = createLogger('spec', 'silent');
  const processOn = (source: DataSource) => {
    const runs = new RunsRepository(poolOf(source));
    const sends = channel as unknown as CampaignChannel;
    const sweeper = new CampaignSweeper(runs, source, sends);
    return new CampaignRunner(runs, sweeper, source, poolOf(source), sends, log, new LaneObserver(new Registry(), log));
  };
  const open = () => createDataSource(settings, 'campaigns', []).initialize();
  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations, contactsMigrations, campaignsMigrations]);
    settings = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 8 });
    dataSource = await open();
    pool = poolOf(dataSource);
    await pool.query(
      'CREATE TABLE accepted (campaign_id uuid, contact_id uuid, PRIMARY KEY (campaign_id, contact_id))',
    );
  });
  beforeEach(async () => {
    channel = new RecordingChannel();
    await pool.query('TRUNCATE campaigns.campaigns, campaigns.members, campaigns.zones, accepted');
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const organizationOf = async (contacts: number): Promise<string> => {
    const id = newId();
    await pool.query(
      `INSERT INTO contacts.contacts (id, organization_id, phone, source)
       SELECT gen_random_uuid(), $1, '+49151' || (10000000 + n), 'api' FROM generate_series(1, $2::int) AS n`,
      [id, contacts],
    );
    return id;
  };
  const campaignOf = async (organizationId: string): Promise<string> => {
    const id = newId();
    await pool.query(
      `INSERT INTO campaigns.campaigns (id, organization_id, workspace_id, channel, name, status, content, audience)
       VALUES ($1, $2, $2, 'sms', 'Spring', 'running', '{}', '{}')`,
      [id, organizationId],
    );
    return id;
  };
  const statuses = async () =>
    (await pool.query<{ status: string }>('SELECT DISTINCT status FROM campaigns.campaigns')).rows;
  const acceptedOf = async (campaignId: string) =>
    (await pool.query('SELECT FROM accepted WHERE campaign_id = $1', [campaignId])).rowCount;

  it('alternate, so that a small one is accepted before the backlog of another organization', async () => {
    const noisy = await organizationOf(1_500);
    for (let n = 0; n < 6; n++) await campaignOf(noisy);
    const quiet = await organizationOf(10);
    await campaignOf(quiet);
    const runner = processOn(dataSource);
    await runner.runDue();
    await runner.idle();
    expect(channel.batches).toHaveLength(6 * 15 + 1);
    // Each of the four campaigns of the other organization that run has accepted a few batches.
    expect(channel.batches.indexOf(quiet)).toBeLessThan(20);
    expect(await statuses()).toEqual([{ status: 'completed' }]);
  });

  it('reach each contact once, from several processes', async () => {
    const organizations = [await organizationOf(2_500), await organizationOf(700)];
    const campaigns = await Promise.all(organizations.map(campaignOf));
    const other = await open();
    const processes = [processOn(dataSource), processOn(other)];
    await Promise.all(processes.map((one) => one.runDue()));
    await Promise.all(processes.map((one) => one.idle()));
    await other.destroy();
    expect(await Promise.all(campaigns.map(acceptedOf))).toEqual([2_500, 700]);
    expect(await statuses()).toEqual([{ status: 'completed' }]);
  });

  it('store their audience in parts, which another process continues after a crash', async () => {
    const campaign = await campaignOf(await organizationOf(4_500));
    const killed = new RunsRepository(pool);
    await killed.claimAcrossTenants('sms', { held: [], onlyOthers: false }, 30_000);
    expect(await killed.continueStart(dataSource, campaign)).toMatchObject({ startedAt: null });
    expect((await pool.query('SELECT FROM campaigns.members')).rowCount).toBe(2_000);
    const runner = processOn(dataSource);
    await runner.runDue();
    await runner.idle();
    expect(await acceptedOf(campaign)).toBe(0);
    await pool.query(`UPDATE campaigns.campaigns SET lease_until = now() - interval '1 second'`);
    await runner.runDue();
    await runner.idle();
    expect(await acceptedOf(campaign)).toBe(4_500);
    const { rows } = await pool.query('SELECT status, audience_size, queued FROM campaigns.campaigns');
    expect(rows).toEqual([{ status: 'completed', audience_size: 4_500, queued: 4_500 }]);
  });

  it('store the audience again if they are changed while it is being stored', async () => {
    const organizationId = await organizationOf(2_500);
    const campaign = await campaignOf(organizationId);
    const runs = new RunsRepository(pool);
    await runs.continueStart(dataSource, campaign);
    const { rows } = await pool.query<{ id: string }>(
      'SELECT id FROM contacts.contacts WHERE organization_id = $1 ORDER BY id LIMIT 3',
      [organizationId],
    );
    const plan = {
      name: 'Spring',
      content: {},
      audience: { contact_ids: rows.map(({ id }) => id) },
      scheduledAt: null,
      sendWindow: null,
      ratePerMinute: null,
    };
    const owner = { organizationId, workspaceId: organizationId, keyId: null };
    await dataSource.transaction((transaction) =>
      new CampaignsRepository(pool).change(transaction, campaign, owner, plan, 'running'),
    );
    const runner = processOn(dataSource);
    await runner.runDue();
    await runner.idle();
    expect(await acceptedOf(campaign)).toBe(3);
  });
});
