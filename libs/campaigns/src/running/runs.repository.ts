import { Injectable } from '@nestjs/common';
import { clientOf, oldestOfEachOrganization } from '@heliograph/database';
import { contactOf, type Contact, type ContactRow, CONTACT_COLUMNS } from '@heliograph/contacts';
import type { ClaimRequest } from '@heliograph/fairness';
import { queryQuietly } from '@heliograph/messaging';
import { Turns } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { deleteAudience } from '../audience';
import { audienceCondition } from '../audience-sql';
import type { Campaign, CampaignChannelName, Skipped } from '../campaign';
import { MAX_CATCH_UP_MS } from './campaign-pace';
import { CAMPAIGN_COLUMNS, campaignOf, FIRST_POSITION, type CampaignRow } from '../campaign-rows';
import { publishStoredStatus } from '../campaign-events';
import { timeZoneOf } from './time-zone-of';

/** A part of the audience with the same time zone. */
export interface Zone {
  zone: string;
  /** Number of processed contacts. */
  position: number;
  size: number;
}

/** The results of a batch. */
export interface Progress {
  zone: string;
  from: number;
  to: number;
  queued: number;
  credits: number;
  skipped: Skipped;
}

/** Contacts of an audience that are stored at once. */
const SNAPSHOT_ROWS = 2_000;
const ROLLUP_ROWS = 50_000;

/** Stores the progress of running campaigns. */
@Injectable()
export class RunsRepository {
  constructor(private readonly pool: Pool) {}

  /** Leases a due campaign, or a canceled one with waiting messages, of an organization that `request` prefers. */
  async claimAcrossTenants(
    channel: CampaignChannelName,
    { held, onlyOthers }: ClaimRequest,
    leaseMs: number,
  ): Promise<Campaign | null> {
    const rows = await queryQuietly<CampaignRow>(
      this.pool,
      `UPDATE campaigns.campaigns AS c SET lease_until = now() + $1 * interval '1 millisecond'
       WHERE c.id = (
         SELECT d.id FROM (${OLDEST[channel]}) AS oldest JOIN campaigns.campaigns AS d USING (id)
         WHERE ${isDue(channel)} AND NOT ($3 AND d.organization_id = ANY ($2))
         ORDER BY d.organization_id = ANY ($2), d.due_at LIMIT 1 FOR UPDATE OF d SKIP LOCKED)
       RETURNING ${CAMPAIGN_COLUMNS}`,
      [leaseMs, held, onlyOthers],
    );
    return rows[0] ? campaignOf(rows[0]) : null;
  }

  /** Extends the leases of campaigns that run in this process. */
  async extendLeases(ids: readonly string[], leaseMs: number): Promise<void> {
    await queryQuietly(
      this.pool,
      `UPDATE campaigns.campaigns SET lease_until = now() + $2 * interval '1 millisecond'
       WHERE id = ANY ($1) AND lease_until IS NOT NULL`,
      [ids, leaseMs],
    );
  }

  /** Releases the lease; the campaign is due again `delayMs` after it was due, so that delays do not add up. */
  async release(id: string, delayMs: number): Promise<void> {
    await this.pool.query(
      `UPDATE campaigns.campaigns SET lease_until = NULL,
         due_at = greatest(due_at, now() - $3 * interval '1 millisecond') + $2 * interval '1 millisecond'
       WHERE id = $1`,
      [id, delayMs, MAX_CATCH_UP_MS],
    );
  }

  /**
   * Stores the next part of the audience, and starts the campaign after the last one. Null if the campaign must not start any
   * more, because it was changed.
   */
  async continueStart(dataSource: DataSource, id: string): Promise<Campaign | null> {
    return dataSource.transaction(async (transaction) => {
      const client = await clientOf(transaction);
      const { rows } = await client.query<CampaignRow>(
        `SELECT ${CAMPAIGN_COLUMNS} FROM campaigns.campaigns AS c
         WHERE c.id = $1 AND c.status IN ('scheduled', 'running') AND c.started_at IS NULL AND c.due_at <= now() FOR UPDATE`,
        [id],
      );
      const [row] = rows;
      if (!row) return null;
      const campaign = campaignOf(row);
      if (!(await this.storeContacts(transaction, campaign))) return campaign;
      await this.startStored(transaction, campaign);
      return { ...campaign, startedAt: new Date() };
    });
  }

  /** Stores the audience of a campaign that is locked in the transaction, and starts the campaign. */
  async startLocked(transaction: EntityManager, campaign: Campaign): Promise<void> {
    while (!(await this.storeContacts(transaction, campaign)));
    await this.startStored(transaction, campaign);
  }

  private async startStored(transaction: EntityManager, { id }: Campaign): Promise<void> {
    const client = await clientOf(transaction);
    await client.query(
      `UPDATE campaigns.campaigns SET status = 'running', started_at = now(), audience_to = NULL,
         audience_size = (SELECT coalesce(sum(size), 0) FROM campaigns.zones WHERE campaign_id = $1)
       WHERE id = $1`,
      [id],
    );
    await publishStoredStatus(client, id);
  }

  async zones(id: string): Promise<Zone[]> {
    const { rows } = await this.pool.query<Zone>(
      'SELECT zone, position, size FROM campaigns.zones WHERE campaign_id = $1 AND position < size ORDER BY zone',
      [id],
    );
    return rows;
  }

  /** The next members of a zone, in order. Null stands for a contact that was deleted since the start. */
  async members(id: string, { zone, position }: Zone, limit: number): Promise<(Contact | null)[]> {
    const { rows } = await this.pool.query<ContactRow & { id: string | null }>(
      `SELECT ${CONTACT_COLUMNS} FROM campaigns.members AS m LEFT JOIN contacts.contacts AS c ON c.id = m.contact_id
       WHERE m.campaign_id = $1 AND m.zone = $2 AND m.position > $3 ORDER BY m.position LIMIT $4`,
      [id, zone, position, limit],
    );
    return rows.map((row) => (row.id === null ? null : contactOf(row)));
  }

  /**
   * Locks the campaign in the transaction. False if it no longer runs, or if another process has already made this
   * progress.
   */
  async lockRunning(transaction: EntityManager, id: string, { zone, from }: Progress): Promise<boolean> {
    const client = await clientOf(transaction);
    const { rows } = await client.query(
      `SELECT FROM campaigns.campaigns AS c JOIN campaigns.zones AS z ON z.campaign_id = c.id
       WHERE c.id = $1 AND c.status = 'running' AND z.zone = $2 AND z.position = $3 FOR UPDATE`,
      [id, zone, from],
    );
    return rows.length > 0;
  }

  /** Stores the progress in the transaction that stores the messages. */
  async advance(transaction: EntityManager, id: string, progress: Progress, leaseMs: number): Promise<void> {
    const { zone, to, queued, credits, skipped } = progress;
    const client = await clientOf(transaction);
    await client.query('UPDATE campaigns.zones SET position = $3 WHERE campaign_id = $1 AND zone = $2', [id, zone, to]);
    await client.query(
      `UPDATE campaigns.campaigns SET queued = queued + $2, credits_spent = credits_spent + $3,
         skipped = (SELECT coalesce(json_object_agg(k.key, k.total), '{}')::jsonb FROM (
           SELECT key, sum(value::int) AS total
           FROM (SELECT * FROM jsonb_each_text(skipped) UNION ALL SELECT * FROM jsonb_each_text($4)) AS reasons
           GROUP BY key) AS k),
         lease_until = now() + $5 * interval '1 millisecond'
       WHERE id = $1`,
      [id, queued, credits, skipped, leaseMs],
    );
  }

  /** Ends a running campaign, or pauses it, and deletes its run data. */
  async stop(
    dataSource: DataSource,
    id: string,
    status: 'completed' | 'failed' | 'paused',
    error: Campaign['error'],
  ): Promise<void> {
    await dataSource.transaction(async (transaction) => {
      const client = await clientOf(transaction);
      const { rowCount } = await client.query(
        `UPDATE campaigns.campaigns SET status = $2, error = $3, lease_until = NULL,
           finished_at = CASE WHEN $2 <> 'paused' THEN now() END
         WHERE id = $1 AND status IN ('scheduled', 'running')`,
        [id, status, error],
      );
      if (rowCount === 0) return;
      await publishStoredStatus(client, id);
      if (status === 'paused') return;
      await deleteAudience(client, id);
    });
  }

  /** Locks the campaign in the transaction. False if its status or the position of the sweep has changed. */
  async lockSweep(transaction: EntityManager, { id, status }: Campaign, after: string): Promise<boolean> {
    const client = await clientOf(transaction);
    const { rows } = await client.query(
      'SELECT FROM campaigns.campaigns WHERE id = $1 AND status = $2 AND swept_to = $3 FOR UPDATE',
      [id, status, after],
    );
    return rows.length > 0;
  }

  /** Stores the position of the sweep. At the end of a canceled campaign, `endCanceling` decides whether the sweep is repeated. */
  async advanceSweep(
    transaction: EntityManager,
    { id, status }: Campaign,
    last: string | null,
    leaseMs: number,
  ): Promise<void> {
    const client = await clientOf(transaction);
    await client.query(
      `UPDATE campaigns.campaigns SET lease_until = now() + $3 * interval '1 millisecond',
         swept_to = CASE WHEN $2::uuid IS NULL AND $4 THEN swept_to ELSE $2::uuid END
       WHERE id = $1`,
      [id, last, leaseMs, status === 'canceled'],
    );
  }

  /** Ends a canceled campaign, or starts its sweep again if messages are being submitted. */
  async endCanceling(id: string, isOver: boolean): Promise<void> {
    await this.pool.query(
      `UPDATE campaigns.campaigns SET swept_to = CASE WHEN NOT $2 THEN $3::uuid END, finished_at = CASE WHEN $2 THEN now() END
       WHERE id = $1 AND status = 'canceled' AND finished_at IS NULL`,
      [id, isOver, FIRST_POSITION],
    );
  }

  /** The contacts of an organization with these addresses, by address in lower case. */
  async contactsAt(
    transaction: EntityManager,
    channel: CampaignChannelName,
    organizationId: string,
    addresses: readonly string[],
  ): Promise<Map<string, Contact>> {
    const column = channel === 'sms' ? 'c.phone' : 'lower(c.email)';
    const client = await clientOf(transaction);
    const { rows } = await client.query<ContactRow & { address: string }>(
      `SELECT ${column} AS address, ${CONTACT_COLUMNS} FROM contacts.contacts AS c
       WHERE c.organization_id = $1 AND ${column} = ANY ($2)`,
      [organizationId, addresses.map((address) => address.toLowerCase())],
    );
    return new Map(rows.map(({ address, ...row }) => [address, contactOf(row)]));
  }

  /** Adds results to their campaigns, each once. Returns how many results were added. */
  async rollUp(): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      `WITH taken AS (
         DELETE FROM campaigns.results WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM campaigns.results LIMIT ${ROLLUP_ROWS} FOR UPDATE SKIP LOCKED))
         RETURNING campaign_id, kind, amount),
       sums AS (
         SELECT campaign_id, count(*) AS taken, ${KINDS.map(
           (kind) => `coalesce(sum(amount) FILTER (WHERE kind = '${kind}'), 0)::int AS ${kind}`,
         ).join(', ')}
         FROM taken GROUP BY campaign_id),
       added AS (
         UPDATE campaigns.campaigns AS c SET queued = c.queued + s.queued, sent = c.sent + s.sent, delivered = c.delivered + s.delivered,
           failed = c.failed + s.failed, opened = c.opened + s.opened, clicked = c.clicked + s.clicked,
           bounced = c.bounced + s.bounced, unsubscribed = c.unsubscribed + s.unsubscribed, canceled = c.canceled + s.canceled,
           credits_spent = c.credits_spent + s.credits,
           skipped = CASE WHEN s.suppressed = 0 THEN c.skipped ELSE jsonb_set(c.skipped, '{suppressed}',
             to_jsonb(coalesce((c.skipped ->> 'suppressed')::int, 0) + s.suppressed)) END
         FROM sums AS s WHERE c.id = s.campaign_id)
       SELECT coalesce(sum(taken), 0)::int AS count FROM sums`,
    );
    return rows[0]?.count ?? 0;
  }

  /** Selects the contacts of an audience that is not stored, sorted by id. */
  async audiencePage(
    channel: CampaignChannelName,
    { organizationId, audience }: Pick<Campaign, 'organizationId' | 'audience'>,
    after: string | null,
    limit: number,
  ): Promise<Contact[]> {
    return contactsOf(this.pool, channel, { organizationId, audience }, after, limit);
  }

  /** Stores the next contacts of the audience. Returns true after the last ones. */
  private async storeContacts(transaction: EntityManager, campaign: Campaign): Promise<boolean> {
    const client = await clientOf(transaction);
    const contacts = await contactsOf(client, campaign.channel, campaign, campaign.audienceTo, SNAPSHOT_ROWS);
    const { rows: stored } = await client.query<Pick<Zone, 'zone' | 'size'>>(
      'SELECT zone, size FROM campaigns.zones WHERE campaign_id = $1',
      [campaign.id],
    );
    const sizes = new Map(stored.map(({ zone, size }) => [zone, size]));
    const inContactZones = campaign.sendWindow?.time_zone === 'contact';
    const zones: string[] = [];
    const positions: number[] = [];
    const turns = new Turns();
    for (const contact of contacts) {
      const zone = inContactZones ? timeZoneOf(contact) : '';
      const position = (sizes.get(zone) ?? 0) + 1;
      sizes.set(zone, position);
      zones.push(zone);
      positions.push(position);
      await turns.next();
    }
    await client.query(
      `INSERT INTO campaigns.members (campaign_id, zone, position, contact_id)
       SELECT $1::uuid, * FROM unnest($2::text[], $3::int[], $4::uuid[])`,
      [campaign.id, zones, positions, contacts.map(({ id }) => id)],
    );
    await client.query(
      `INSERT INTO campaigns.zones (campaign_id, zone, size) SELECT $1::uuid, * FROM unnest($2::text[], $3::int[])
       ON CONFLICT (campaign_id, zone) DO UPDATE SET size = excluded.size`,
      [campaign.id, [...sizes.keys()], [...sizes.values()]],
    );
    campaign.audienceTo = contacts.at(-1)?.id ?? campaign.audienceTo;
    await client.query('UPDATE campaigns.campaigns SET audience_to = $2 WHERE id = $1', [
      campaign.id,
      campaign.audienceTo,
    ]);
    return contacts.length < SNAPSHOT_ROWS;
  }
}

/** The condition on the columns of a campaign to be leased by a worker of the channel. */
const isDue = (channel: CampaignChannelName): string =>
  `channel = '${channel}' AND due_at <= now()
   AND (status IN ('scheduled', 'running') OR status = 'canceled' AND swept_to IS NOT NULL)
   AND (lease_until IS NULL OR lease_until < now())`;
const OLDEST: Readonly<Record<CampaignChannelName, string>> = {
  sms: oldestOfEachOrganization('campaigns.campaigns', isDue('sms'), 'due_at'),
  email: oldestOfEachOrganization('campaigns.campaigns', isDue('email'), 'due_at'),
};

const KINDS = [
  'queued',
  'sent',
  'delivered',
  'failed',
  'opened',
  'clicked',
  'bounced',
  'unsubscribed',
  'canceled',
  'credits',
  'suppressed',
] as const;

async function contactsOf(
  database: Pick<Pool, 'query'> | Awaited<ReturnType<typeof clientOf>>,
  channel: CampaignChannelName,
  { organizationId, audience }: Pick<Campaign, 'organizationId' | 'audience'>,
  after: string | null,
  limit: number,
): Promise<Contact[]> {
  const { condition, values } = audienceCondition(channel, audience, 4);
  const { rows } = await (database as Pool).query<ContactRow>(
    `SELECT ${CONTACT_COLUMNS} FROM contacts.contacts AS c
     WHERE c.organization_id = $1 AND ($2::uuid IS NULL OR c.id > $2) AND ${condition} ORDER BY c.id LIMIT $3`,
    [organizationId, after, limit, ...values],
  );
  return rows.map(contactOf);
}
