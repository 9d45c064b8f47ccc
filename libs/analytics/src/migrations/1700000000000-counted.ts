import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The figures that the rollups contain for each message, recipient, conversation and ledger entry. The next count
 * subtracts them, so that every event counts once. Only `analytics.count_…` writes these tables.
 */
export class Counted1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE analytics.sms_counted (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        at timestamptz NOT NULL,
        country text NOT NULL,
        sender_id uuid NOT NULL,
        template_id uuid,
        campaign_id uuid,
        error text,
        latency smallint,
        accepted integer NOT NULL,
        sent integer NOT NULL,
        delivered integer NOT NULL,
        failed integer NOT NULL,
        segments integer NOT NULL,
        credits bigint NOT NULL,
        CONSTRAINT sms_counted_pkey PRIMARY KEY (id)
      ) WITH (fillfactor = 80)`);
    await runner.query(`
      CREATE TABLE analytics.email_counted (
        id uuid NOT NULL,
        position smallint NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        at timestamptz NOT NULL,
        domain text NOT NULL,
        sender text NOT NULL,
        template_id uuid,
        campaign_id uuid,
        tags text[] NOT NULL,
        accepted integer NOT NULL,
        sent integer NOT NULL,
        delivered integer NOT NULL,
        opened integer NOT NULL,
        unique_opens integer NOT NULL,
        machine_opens integer NOT NULL,
        clicked integer NOT NULL,
        unique_clicks integer NOT NULL,
        bounced integer NOT NULL,
        complained integer NOT NULL,
        unsubscribed integer NOT NULL,
        CONSTRAINT email_counted_pkey PRIMARY KEY (id, position)
      ) WITH (fillfactor = 80)`);
    await runner.query(`
      CREATE TABLE analytics.chatapp_counted (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        at timestamptz NOT NULL,
        accepted integer NOT NULL,
        sent integer NOT NULL,
        delivered integer NOT NULL,
        read integer NOT NULL,
        failed integer NOT NULL,
        received integer NOT NULL,
        credits bigint NOT NULL,
        CONSTRAINT chatapp_counted_pkey PRIMARY KEY (id)
      ) WITH (fillfactor = 80)`);
    await runner.query(`
      CREATE TABLE analytics.bots_counted (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        at timestamptz NOT NULL,
        conversations integer NOT NULL,
        messages integer NOT NULL,
        handoffs integer NOT NULL,
        leads integer NOT NULL,
        CONSTRAINT bots_counted_pkey PRIMARY KEY (id)
      ) WITH (fillfactor = 80)`);
    await runner.query(`
      CREATE TABLE analytics.credits_counted (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        at timestamptz NOT NULL,
        credit_type text NOT NULL,
        charged bigint NOT NULL,
        refunded bigint NOT NULL,
        topped_up bigint NOT NULL,
        transferred bigint NOT NULL,
        adjusted bigint NOT NULL,
        CONSTRAINT credits_counted_pkey PRIMARY KEY (id)
      ) WITH (fillfactor = 80)`);
    for (const table of TABLES) {
      // BRIN suffices, because rows are inserted in time order and only repairs and the clean-up search by time.
      await runner.query(`CREATE INDEX ${table}_at ON analytics.${table} USING brin (at) WITH (pages_per_range = 32)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`DROP TABLE analytics.${table}`);
  }
}

const TABLES = ['sms_counted', 'email_counted', 'chatapp_counted', 'bots_counted', 'credits_counted'];
