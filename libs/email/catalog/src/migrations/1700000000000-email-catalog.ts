import { notifyChanges } from '@heliograph/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const CACHED_TABLES = ['email.domains', 'email.senders', 'email.templates', 'email.tracking_settings'];

export class EmailCatalog1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE email.domains (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        name text NOT NULL,
        status text NOT NULL,
        verified_by text,
        verification_token text NOT NULL,
        dkim_selector text NOT NULL,
        dkim_public_key text NOT NULL,
        dkim_private_key text NOT NULL,
        return_path_host text,
        findings jsonb NOT NULL,
        checked_at timestamptz,
        verified_at timestamptz,
        failing_since timestamptz,
        expires_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT domains_pkey PRIMARY KEY (id),
        CONSTRAINT domains_status_check CHECK (status IN ('pending', 'verified', 'failed')),
        CONSTRAINT domains_verified_by_check CHECK (verified_by IN ('dns', 'operator'))
      )`);
    await runner.query('CREATE UNIQUE INDEX domains_name ON email.domains (organization_id, name)');
    await runner.query(
      `CREATE UNIQUE INDEX domains_verified_name ON email.domains (name) WHERE status = 'verified' AND verified_by = 'dns'`,
    );
    await runner.query('CREATE INDEX domains_checked ON email.domains (checked_at)');
    await runner.query(`
      CREATE TABLE email.senders (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        domain_id uuid NOT NULL,
        address text NOT NULL,
        address_key text NOT NULL,
        name text,
        is_main boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT senders_pkey PRIMARY KEY (id),
        CONSTRAINT senders_domain_fkey FOREIGN KEY (domain_id) REFERENCES email.domains (id)
      )`);
    await runner.query('CREATE UNIQUE INDEX senders_address ON email.senders (organization_id, address_key)');
    await runner.query('CREATE UNIQUE INDEX senders_main ON email.senders (organization_id) WHERE is_main');
    await runner.query('CREATE INDEX senders_domain ON email.senders (domain_id)');
    await runner.query(`
      CREATE TABLE email.templates (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        slug text NOT NULL,
        name text NOT NULL,
        subject text,
        html text,
        text text,
        unsubscribe_scope text,
        variables text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT templates_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE UNIQUE INDEX templates_slug ON email.templates (organization_id, slug)');
    await runner.query(`
      CREATE TABLE email.suppressions (
        organization_id uuid NOT NULL,
        address_key text NOT NULL,
        scope text NOT NULL DEFAULT 'all',
        address text NOT NULL,
        reason text NOT NULL,
        message_id uuid,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT suppressions_pkey PRIMARY KEY (organization_id, address_key, scope),
        CONSTRAINT suppressions_reason_check
          CHECK (reason IN ('manual', 'bounced', 'unsubscribed', 'complained'))
      )`);
    await runner.query(`
      CREATE TABLE email.tracking_settings (
        subject_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        opens boolean NOT NULL,
        clicks boolean NOT NULL,
        CONSTRAINT tracking_settings_pkey PRIMARY KEY (subject_id)
      )`);
    for (const table of CACHED_TABLES) {
      for (const sql of notifyChanges(table, 'organization_id')) await runner.query(sql);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE email.suppressions');
    for (const table of CACHED_TABLES.toReversed()) {
      await runner.query(`DROP TABLE ${table}`);
      await runner.query(`DROP FUNCTION ${table}_changed()`);
    }
  }
}
