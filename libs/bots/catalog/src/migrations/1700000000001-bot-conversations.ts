import type { MigrationInterface, QueryRunner } from 'typeorm';

export class BotConversations1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE bots.conversations (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        bot_id uuid NOT NULL,
        version_id uuid NOT NULL,
        token_hash bytea NOT NULL,
        status text NOT NULL DEFAULT 'open',
        channel text NOT NULL,
        is_taken_over boolean NOT NULL DEFAULT false,
        taken_over_by uuid,
        handoff_requested_at timestamptz,
        last_seq integer NOT NULL DEFAULT 0,
        revision integer NOT NULL DEFAULT 0,
        state jsonb NOT NULL DEFAULT '{}',
        client jsonb NOT NULL DEFAULT '{}',
        contact_id uuid,
        rating smallint,
        feedback text,
        feedback_at timestamptz,
        ended_at timestamptz,
        ended_by text,
        last_message_at timestamptz NOT NULL DEFAULT now(),
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT conversations_pkey PRIMARY KEY (id),
        CONSTRAINT conversations_status_check CHECK (status IN ('open', 'ended', 'closed', 'archived')),
        CONSTRAINT conversations_rating_check CHECK (rating BETWEEN 1 AND 5)
      ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`);
    await runner.query('CREATE UNIQUE INDEX conversations_token ON bots.conversations (token_hash)');
    await runner.query(
      'CREATE INDEX conversations_workspace ON bots.conversations (workspace_id, last_message_at, id)',
    );
    await runner.query('CREATE INDEX conversations_bot ON bots.conversations (bot_id, id)');
    await runner.query(
      'CREATE INDEX conversations_contact ON bots.conversations (contact_id) WHERE contact_id IS NOT NULL',
    );
    await runner.query(`
      CREATE TABLE bots.messages (
        conversation_id uuid NOT NULL,
        seq integer NOT NULL,
        id uuid NOT NULL,
        role text NOT NULL,
        content text NOT NULL,
        content_type text NOT NULL,
        metadata jsonb NOT NULL DEFAULT '{}',
        quick_replies jsonb,
        form jsonb,
        created_at timestamptz NOT NULL,
        correlation_id text,
        key_id uuid,
        client_address text,
        CONSTRAINT messages_pkey PRIMARY KEY (conversation_id, seq),
        CONSTRAINT messages_role_check CHECK (role IN ('user', 'assistant')),
        CONSTRAINT messages_content_type_check CHECK (content_type IN ('text', 'form'))
      )`);
    await runner.query('CREATE UNIQUE INDEX messages_id ON bots.messages (id, conversation_id)');
    await runner.query(`
      CREATE TABLE bots.contacts (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        name text,
        email text,
        phone text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT contacts_pkey PRIMARY KEY (id)
      )`);
    await runner.query(
      'CREATE UNIQUE INDEX contacts_email ON bots.contacts (workspace_id, email) WHERE email IS NOT NULL',
    );
    await runner.query('CREATE INDEX contacts_phone ON bots.contacts (workspace_id, phone) WHERE phone IS NOT NULL');
    await runner.query('CREATE INDEX contacts_workspace ON bots.contacts (workspace_id, id)');
    await runner.query(`
      CREATE TABLE bots.submissions (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        bot_id uuid NOT NULL,
        conversation_id uuid NOT NULL,
        contact_id uuid,
        form_id text NOT NULL,
        form_title text NOT NULL,
        status text NOT NULL DEFAULT 'received',
        answers jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT submissions_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE INDEX submissions_workspace ON bots.submissions (workspace_id, id)');
    await runner.query('CREATE INDEX submissions_conversation ON bots.submissions (conversation_id)');
    await runner.query(
      'CREATE INDEX submissions_contact ON bots.submissions (contact_id) WHERE contact_id IS NOT NULL',
    );
    await runner.query(`
      CREATE TABLE bots.model_uses (
        bot_id uuid NOT NULL,
        day date NOT NULL,
        tokens bigint NOT NULL,
        CONSTRAINT model_uses_pkey PRIMARY KEY (bot_id, day)
      ) WITH (fillfactor = 70)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['model_uses', 'submissions', 'contacts', 'messages', 'conversations']) {
      await runner.query(`DROP TABLE bots.${table}`);
    }
  }
}
