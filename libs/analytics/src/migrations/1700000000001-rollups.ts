import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIGURES: Readonly<Record<string, readonly string[]>> = {
  sms: ['accepted', 'sent', 'delivered', 'failed', 'segments', 'credits'],
  email: [
    'accepted',
    'sent',
    'delivered',
    'opened',
    'unique_opens',
    'machine_opens',
    'clicked',
    'unique_clicks',
    'bounced',
    'complained',
    'unsubscribed',
  ],
  chatapp: ['accepted', 'sent', 'delivered', 'read', 'failed', 'received', 'credits'],
  bots: ['conversations', 'messages', 'handoffs', 'leads'],
  credits: ['charged', 'refunded', 'topped_up', 'transferred', 'adjusted'],
};

/**
 * Figures by quarter hour, hour, day, week and eight weeks in UTC, by dimension (such as `country`; `total` is everything) and by its
 * value (`key`; empty for none). Every time zone has whole quarter hours, so that the parts of any range add up exactly.
 */
export class Rollups1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TYPE analytics.grain AS ENUM ('quarter', 'hour', 'day', 'week', 'eight_weeks')`);
    for (const [source, figures] of Object.entries(FIGURES)) {
      await runner.query(`
        CREATE TABLE analytics.${source}_rollups (
          organization_id uuid NOT NULL,
          dimension text NOT NULL,
          grain analytics.grain NOT NULL,
          at timestamptz NOT NULL,
          workspace_id uuid NOT NULL,
          key text NOT NULL,
          ${figures.map((figure) => `${figure} bigint NOT NULL`).join(', ')},
          CONSTRAINT ${source}_rollups_pkey PRIMARY KEY (organization_id, dimension, grain, at, workspace_id, key)
        ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)`);
    }
    // Histograms of the time from the carrier's acceptance to the delivery. Bucket b ends at 2^(b/4) ms.
    // A day has hundreds of rows, so they are read from the index alone.
    await runner.query(`
      CREATE TABLE analytics.sms_latencies (
        organization_id uuid NOT NULL,
        dimension text NOT NULL,
        grain analytics.grain NOT NULL,
        at timestamptz NOT NULL,
        workspace_id uuid NOT NULL,
        key text NOT NULL,
        bucket smallint NOT NULL,
        messages bigint NOT NULL,
        CONSTRAINT sms_latencies_pkey PRIMARY KEY (organization_id, dimension, grain, at, workspace_id, key, bucket)
          INCLUDE (messages)
      ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE analytics.sms_latencies');
    for (const source of Object.keys(FIGURES)) await runner.query(`DROP TABLE analytics.${source}_rollups`);
    await runner.query('DROP TYPE analytics.grain');
  }
}
