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
        unsubscribe_scope text NOT NULL DEFAULT 'marketing',
        status text NOT NULL,
        from_address text NOT NULL,
        from_name text,
        reply_to text[],
        headers jsonb,
        subject text NOT NULL,
        html text,
        text text,
        attachments jsonb,
        correlation_id text,
        template_id uuid,
        campaign_id uuid,
        tags text[] NOT NULL DEFAULT '{}',
        reference text,
        key_id uuid,
        client_address text,
        CONSTRAINT messages_pkey PRIMARY KEY (id),
        CONSTRAINT messages_status_check
          CHECK (status IN ('scheduled', 'sending', 'sent', 'failed', 'skipped', 'canceled'))
      ) PARTITION BY RANGE (id)`);
    // Its columns never change, so that updates of a message do not touch the index.
    await runner.query(`CREATE INDEX messages_scheduled ON email.messages (organization_id, scheduled_at)
      WHERE scheduled_at IS NOT NULL`);
    // Lists of an organization, newest first. Their columns do not change either.
    await runner.query('CREATE INDEX messages_organization ON email.messages (organization_id, id)');
    await runner.query(`CREATE INDEX messages_reference ON email.messages (organization_id, reference, id)
      WHERE reference IS NOT NULL`);
    await runner.query(
      `CREATE INDEX messages_campaign ON email.messages (campaign_id, id) WHERE campaign_id IS NOT NULL`,
    );
    await runner.query(`
      CREATE TABLE email.recipients (
        message_id uuid NOT NULL,
        campaign_id uuid,
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
        history jsonb,
        CONSTRAINT recipients_pkey PRIMARY KEY (message_id, position),
        CONSTRAINT recipients_state_check
          CHECK (state IN ('waiting', 'sending', 'deferred', 'sent', 'failed', 'skipped', 'canceled')),
        CONSTRAINT recipients_outcome_check CHECK (outcome IN ('delivered', 'bounced'))
      ) PARTITION BY RANGE (message_id)`);
    await runner.query('CREATE INDEX recipients_address ON email.recipients (lower(address), message_id)');
    await runner.query(`
      CREATE TABLE email.events (
        message_id uuid NOT NULL,
        id uuid NOT NULL,
        position smallint NOT NULL,
        occurred_at timestamptz NOT NULL,
        type text NOT NULL,
        url text,
        reason text,
        scope text,
        CONSTRAINT events_pkey PRIMARY KEY (message_id, id),
        CONSTRAINT events_type_check
          CHECK (type IN ('delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'))
      ) PARTITION BY RANGE (message_id)`);
    await runner.query(`
      CREATE TABLE email.failing_domains (
        organization_id uuid NOT NULL,
        domain text NOT NULL,
        failures smallint NOT NULL,
        failed_at timestamptz NOT NULL,
        CONSTRAINT failing_domains_pkey PRIMARY KEY (organization_id, domain)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['failing_domains', 'events', 'recipients', 'messages'])
      await runner.query(`DROP TABLE email.${table}`);
  }
}
