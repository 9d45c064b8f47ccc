import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ACCEPT, ACCEPTANCE_TYPES } from './sql/accept';
import { CLAIM } from './sql/claim';
import { ATTEMPT_TYPE, MARK_DATA, RECORD_ATTEMPTS, SETTLE } from './sql/record-attempts';
import { EVENT_TYPE, RECORD_EVENTS, SUPPRESS } from './sql/record-events';

/**
 * Sends, their recipients and what happened to each. All three are partitioned by the send's UUIDv7, which begins with
 * the time. The hot paths are functions of the schema: one round trip and one transaction each.
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
    for (const sql of [...ACCEPTANCE_TYPES, ATTEMPT_TYPE, EVENT_TYPE]) await runner.query(sql);
    for (const sql of [SUPPRESS, RECORD_EVENTS, SETTLE, ACCEPT, CLAIM, MARK_DATA, RECORD_ATTEMPTS])
      await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of [
      'record_attempts(json)',
      'mark_data(json)',
      'claim(uuid, integer)',
      'accept(json)',
      'settle(uuid[])',
      'record_events(json)',
      'suppress(uuid, text, text, uuid)',
    ]) {
      await runner.query(`DROP FUNCTION email.${name}`);
    }
    for (const name of ['acceptance', 'accepted_recipient', 'attempt', 'event'])
      await runner.query(`DROP TYPE email.${name}`);
    for (const table of ['events', 'recipients', 'messages']) await runner.query(`DROP TABLE email.${table}`);
  }
}
