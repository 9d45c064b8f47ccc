import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Emails, their recipients and their events. All three tables are partitioned by the UUIDv7 of the email, which starts with
 * the time.
 */
export class EmailMessages1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE email.messages (
        id uuid NOT NULL,
        organization_id uuid,
        workspace_id uuid,
        domain_id uuid,
        created_at timestamptz NOT NULL,
        scheduled_at timestamptz,
        lease_until timestamptz,
        track_opens boolean NOT NULL,
        track_clicks boolean NOT NULL,
        status text NOT NULL,
        from_address text NOT NULL,
        from_name text,
        subject text NOT NULL,
        html text,
        text text,
        attachments jsonb,
        correlation_id text,
        CONSTRAINT messages_pkey PRIMARY KEY (id),
        CONSTRAINT messages_status_check
          CHECK (status IN ('scheduled', 'sending', 'sent', 'failed', 'skipped', 'canceled'))
      ) PARTITION BY RANGE (id)`);
    await runner.query(`
      CREATE TABLE email.recipients (
        message_id uuid NOT NULL,
        position smallint NOT NULL,
        copies smallint NOT NULL DEFAULT 0,
        attempts smallint NOT NULL DEFAULT 0,
        first_tried_at timestamptz,
        next_try_at timestamptz,
        sent_at timestamptz,
        state text NOT NULL,
        outcome text,
        address text NOT NULL,
        last_error text,
        CONSTRAINT recipients_pkey PRIMARY KEY (message_id, position),
        CONSTRAINT recipients_state_check
          CHECK (state IN ('waiting', 'sending', 'deferred', 'sent', 'failed', 'skipped', 'canceled')),
        CONSTRAINT recipients_outcome_check CHECK (outcome IN ('delivered', 'bounced'))
      ) PARTITION BY RANGE (message_id)`);
    await runner.query(`
      CREATE TABLE email.events (
        message_id uuid NOT NULL,
        id uuid NOT NULL,
        position smallint NOT NULL,
        occurred_at timestamptz NOT NULL,
        type text NOT NULL,
        url text,
        reason text,
        CONSTRAINT events_pkey PRIMARY KEY (message_id, id),
        CONSTRAINT events_type_check
          CHECK (type IN ('delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'))
      ) PARTITION BY RANGE (message_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['events', 'recipients', 'messages']) await runner.query(`DROP TABLE email.${table}`);
  }
}
