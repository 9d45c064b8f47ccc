import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Messages of both directions are in one table, which is not partitioned: an id of the provider must be unique over all
 * time, because the provider repeats its webhooks.
 */
export class ChatappMessages1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE chatapp.messages (
        id uuid NOT NULL,
        account_id uuid,
        organization_id uuid,
        workspace_id uuid,
        created_at timestamptz NOT NULL DEFAULT now(),
        sent_at timestamptz,
        delivered_at timestamptz,
        read_at timestamptz,
        failed_at timestamptz,
        price integer,
        error_code integer,
        allowance_month date,
        is_free boolean NOT NULL DEFAULT false,
        is_charged boolean NOT NULL DEFAULT false,
        is_presumed boolean NOT NULL DEFAULT false,
        direction text NOT NULL,
        status text NOT NULL,
        type text NOT NULL,
        recipient text NOT NULL,
        sender text NOT NULL,
        upstream_id text,
        category text,
        currency text,
        template_name text,
        error text,
        media_id text,
        correlation_id text,
        key_id uuid,
        client_address text,
        payload jsonb,
        CONSTRAINT messages_pkey PRIMARY KEY (id),
        CONSTRAINT messages_direction_check CHECK (direction IN ('outbound', 'inbound')),
        CONSTRAINT messages_status_check
          CHECK (status IN ('accepted', 'sent', 'delivered', 'read', 'failed', 'received'))
      ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)`);
    await runner.query(`CREATE UNIQUE INDEX messages_inbound_upstream_id ON chatapp.messages (upstream_id)
      WHERE direction = 'inbound'`);
    await runner.query(`CREATE INDEX messages_outbound_upstream_id ON chatapp.messages (upstream_id)
      WHERE direction = 'outbound' AND upstream_id IS NOT NULL`);
    await runner.query('CREATE INDEX messages_workspace ON chatapp.messages (workspace_id, id)');
    await runner.query(`CREATE INDEX messages_unsettled ON chatapp.messages (id)
      WHERE direction = 'outbound' AND status = 'accepted' AND upstream_id IS NULL`);
    await runner.query(`CREATE INDEX messages_unattributed ON chatapp.messages (sender)
      WHERE direction = 'inbound' AND organization_id IS NULL`);
    await runner.query('CREATE INDEX messages_media ON chatapp.messages (media_id) WHERE media_id IS NOT NULL');
    await runner.query(`
      CREATE TABLE chatapp.numbers (
        account_id uuid NOT NULL,
        number text NOT NULL,
        last_inbound_at timestamptz,
        last_outbound_at timestamptz,
        organization_id uuid,
        workspace_id uuid,
        CONSTRAINT numbers_pkey PRIMARY KEY (account_id, number)
      ) WITH (fillfactor = 70)`);
    await runner.query(`
      CREATE TABLE chatapp.number_aliases (
        account_id uuid NOT NULL,
        number text NOT NULL,
        upstream_number text NOT NULL,
        CONSTRAINT number_aliases_pkey PRIMARY KEY (account_id, number)
      )`);
    await runner.query(`
      CREATE TABLE chatapp.allowance_uses (
        workspace_id uuid NOT NULL,
        category text NOT NULL,
        month date NOT NULL,
        used integer NOT NULL,
        CONSTRAINT allowance_uses_pkey PRIMARY KEY (workspace_id, category, month),
        CONSTRAINT allowance_uses_used_check CHECK (used >= 0)
      ) WITH (fillfactor = 50)`);
    await runner.query(`
      CREATE TABLE chatapp.unmatched_statuses (
        upstream_id text NOT NULL,
        status text NOT NULL,
        occurred_at timestamptz NOT NULL,
        received_at timestamptz NOT NULL DEFAULT now(),
        error_code integer,
        error text,
        CONSTRAINT unmatched_statuses_pkey PRIMARY KEY (upstream_id, status)
      )`);
    await runner.query('CREATE INDEX unmatched_statuses_received_at ON chatapp.unmatched_statuses (received_at)');
    await runner.query(`
      CREATE TABLE chatapp.media (
        id text NOT NULL,
        account_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid,
        size bigint NOT NULL,
        mime_type text NOT NULL,
        file_name text NOT NULL,
        sha256 text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT media_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE INDEX media_organization ON chatapp.media (organization_id, created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['media', 'unmatched_statuses', 'allowance_uses', 'number_aliases', 'numbers', 'messages']) {
      await runner.query(`DROP TABLE chatapp.${table}`);
    }
  }
}
