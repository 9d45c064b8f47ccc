import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Webhooks1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhooks.subscriptions (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid,
        url text NOT NULL,
        events text[] NOT NULL,
        description text,
        headers jsonb NOT NULL DEFAULT '{}',
        active boolean NOT NULL DEFAULT true,
        api_version text NOT NULL,
        secret text NOT NULL,
        previous_secret text,
        previous_secret_until timestamptz,
        disabled_at timestamptz,
        disabled_reason text,
        failing_since timestamptz,
        failures integer NOT NULL DEFAULT 0,
        failures_in_row integer NOT NULL DEFAULT 0,
        open_until timestamptz,
        claimed_at timestamptz,
        leased_by uuid,
        leased_until timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT subscriptions_pkey PRIMARY KEY (id)
      ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`);
    await runner.query('CREATE INDEX subscriptions_organization ON webhooks.subscriptions (organization_id, id)');
    await runner.query(`
      CREATE TABLE webhooks.streams (
        organization_id uuid NOT NULL,
        last_sequence bigint NOT NULL,
        CONSTRAINT streams_pkey PRIMARY KEY (organization_id)
      ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`);
    await runner.query(`
      CREATE TABLE webhooks.events (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid,
        sequence bigint NOT NULL,
        type text NOT NULL,
        subject_id uuid,
        body json NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT events_pkey PRIMARY KEY (id)
      ) PARTITION BY RANGE (id)`);
    await runner.query('CREATE INDEX events_sequence ON webhooks.events (organization_id, sequence)');
    await runner.query(`
      CREATE TABLE webhooks.deliveries (
        id uuid NOT NULL,
        subscription_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        event_id uuid NOT NULL,
        event_type text NOT NULL,
        subject_id uuid,
        status text NOT NULL DEFAULT 'pending',
        attempts jsonb NOT NULL DEFAULT '[]',
        tried integer NOT NULL DEFAULT 0,
        first_tried_at timestamptz,
        next_attempt_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT deliveries_pkey PRIMARY KEY (id),
        CONSTRAINT deliveries_status_check CHECK (status IN ('pending', 'delivered', 'failed'))
      ) PARTITION BY RANGE (id)`);
    await runner.query(`
      CREATE INDEX deliveries_subscription ON webhooks.deliveries (subscription_id, id);
      CREATE INDEX deliveries_subject ON webhooks.deliveries (subject_id, id) WHERE subject_id IS NOT NULL`);
    // Rows exist until the delivery ends only, so autovacuum is triggered by the number of dead rows.
    await runner.query(`
      CREATE TABLE webhooks.queue (
        delivery_id uuid NOT NULL,
        subscription_id uuid NOT NULL,
        event_id uuid NOT NULL,
        due_at timestamptz NOT NULL,
        tried integer NOT NULL DEFAULT 0,
        first_tried_at timestamptz,
        CONSTRAINT queue_pkey PRIMARY KEY (delivery_id)
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0)`);
    await runner.query('CREATE INDEX queue_due ON webhooks.queue (subscription_id, due_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE webhooks.queue, webhooks.deliveries, webhooks.events, webhooks.streams, webhooks.subscriptions',
    );
  }
}
