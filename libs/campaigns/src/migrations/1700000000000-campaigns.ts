import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Campaigns1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE campaigns.campaigns (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        key_id uuid,
        channel text NOT NULL,
        name text NOT NULL,
        status text NOT NULL,
        content jsonb NOT NULL,
        audience jsonb NOT NULL,
        send_window jsonb,
        rate_per_minute integer,
        scheduled_at timestamptz(3),
        error jsonb,
        due_at timestamptz NOT NULL DEFAULT now(),
        lease_until timestamptz,
        audience_size integer NOT NULL DEFAULT 0,
        queued integer NOT NULL DEFAULT 0,
        sent integer NOT NULL DEFAULT 0,
        delivered integer NOT NULL DEFAULT 0,
        failed integer NOT NULL DEFAULT 0,
        opened integer NOT NULL DEFAULT 0,
        clicked integer NOT NULL DEFAULT 0,
        bounced integer NOT NULL DEFAULT 0,
        unsubscribed integer NOT NULL DEFAULT 0,
        credits_spent bigint NOT NULL DEFAULT 0,
        skipped jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        started_at timestamptz(3),
        finished_at timestamptz(3),
        CONSTRAINT campaigns_pkey PRIMARY KEY (id),
        CONSTRAINT campaigns_status_check
          CHECK (status IN ('draft', 'scheduled', 'running', 'paused', 'completed', 'canceled', 'failed'))
      )`);
    await runner.query(`
      CREATE INDEX campaigns_organization ON campaigns.campaigns (organization_id, channel, id);
      CREATE INDEX campaigns_due ON campaigns.campaigns (channel, due_at) WHERE status IN ('scheduled', 'running')`);
    // The audience at the start, in groups of contacts with the same time zone. Each group has a cursor, so that
    // contacts outside their send window do not delay the others.
    await runner.query(`
      CREATE TABLE campaigns.zones (
        campaign_id uuid NOT NULL,
        zone text NOT NULL,
        position integer NOT NULL DEFAULT 0,
        size integer NOT NULL,
        CONSTRAINT zones_pkey PRIMARY KEY (campaign_id, zone),
        CONSTRAINT zones_campaign_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns.campaigns (id) ON DELETE CASCADE
      );
      CREATE TABLE campaigns.members (
        campaign_id uuid NOT NULL,
        zone text NOT NULL,
        position integer NOT NULL,
        contact_id uuid NOT NULL,
        CONSTRAINT members_pkey PRIMARY KEY (campaign_id, zone, position)
      )`);
    // Results of campaign messages since the last rollup. Rows are only inserted, so that concurrent writers of one
    // campaign do not wait for each other.
    await runner.query(`
      CREATE TABLE campaigns.results (
        campaign_id uuid NOT NULL,
        kind text NOT NULL,
        amount integer NOT NULL
      );
      CREATE INDEX results_campaign ON campaigns.results (campaign_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE campaigns.results, campaigns.members, campaigns.zones, campaigns.campaigns');
  }
}
