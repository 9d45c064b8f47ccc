import { notifyChanges } from '@heliograph/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const CACHED_TABLES: [string, string | null][] = [
  ['chatapp.accounts', null],
  ['chatapp.prices', null],
  ['chatapp.allowances', null],
  ['chatapp.sending_switch', null],
  ['chatapp.templates', 'organization_id'],
];

export class ChatappCatalog1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE chatapp.accounts (
        id uuid NOT NULL,
        owner_type text NOT NULL,
        organization_id uuid,
        phone_number_id text NOT NULL,
        business_account_id text,
        display_number text,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT accounts_pkey PRIMARY KEY (id),
        CONSTRAINT accounts_owner_type_check CHECK (owner_type IN ('platform', 'organization'))
      )`);
    await runner.query('CREATE UNIQUE INDEX accounts_phone_number ON chatapp.accounts (phone_number_id)');
    await runner.query(`
      CREATE TABLE chatapp.prices (
        id uuid NOT NULL,
        country text NOT NULL,
        category text NOT NULL,
        base_cost integer NOT NULL,
        markup integer NOT NULL,
        currency text NOT NULL,
        valid_from timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT prices_pkey PRIMARY KEY (id),
        CONSTRAINT prices_category_check CHECK (category IN ('marketing', 'utility', 'authentication', 'service')),
        CONSTRAINT prices_amounts_check
          CHECK (base_cost BETWEEN 0 AND 1000000000 AND markup BETWEEN 0 AND 1000000000)
      )`);
    await runner.query('CREATE UNIQUE INDEX prices_validity ON chatapp.prices (country, category, valid_from)');
    await runner.query(`
      CREATE TABLE chatapp.allowances (
        id uuid NOT NULL,
        category text NOT NULL,
        is_free boolean NOT NULL,
        monthly_limit integer,
        valid_from timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT allowances_pkey PRIMARY KEY (id),
        CONSTRAINT allowances_category_check CHECK (category IN ('marketing', 'utility', 'authentication', 'service')),
        CONSTRAINT allowances_monthly_limit_check CHECK (monthly_limit >= 0)
      )`);
    await runner.query('CREATE UNIQUE INDEX allowances_validity ON chatapp.allowances (category, valid_from)');
    // Defaults, because a price and a rule must always exist. Rules of the operator take precedence.
    await runner.query(`
      INSERT INTO chatapp.prices (id, country, category, base_cost, markup, currency, valid_from)
      SELECT gen_random_uuid(), '*', category, base_cost, markup, 'INR', 'epoch'
      FROM (VALUES ('marketing', 80, 20), ('utility', 12, 3), ('authentication', 12, 3), ('service', 30, 10))
        AS p (category, base_cost, markup)`);
    await runner.query(`
      INSERT INTO chatapp.allowances (id, category, is_free, monthly_limit, valid_from)
      VALUES (gen_random_uuid(), 'utility', true, NULL, 'epoch'), (gen_random_uuid(), 'service', true, 1000, 'epoch')`);
    await runner.query(`
      CREATE TABLE chatapp.sending_switch (
        id smallint NOT NULL,
        is_enabled boolean NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT sending_switch_pkey PRIMARY KEY (id),
        CONSTRAINT sending_switch_one_row_check CHECK (id = 1)
      )`);
    await runner.query(`
      CREATE TABLE chatapp.templates (
        id uuid NOT NULL,
        account_id uuid NOT NULL,
        organization_id uuid,
        name text NOT NULL,
        language text NOT NULL,
        category text NOT NULL,
        status text NOT NULL,
        components jsonb NOT NULL,
        message_send_ttl_seconds integer,
        upstream_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        seen_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT templates_pkey PRIMARY KEY (id),
        CONSTRAINT templates_category_check CHECK (category IN ('marketing', 'utility', 'authentication'))
      )`);
    await runner.query('CREATE UNIQUE INDEX templates_name ON chatapp.templates (account_id, name, language)');
    await runner.query(`
      CREATE TABLE chatapp.consents (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        number text NOT NULL,
        status text NOT NULL,
        source text NOT NULL,
        note text,
        keyword_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT consents_pkey PRIMARY KEY (id),
        CONSTRAINT consents_status_check CHECK (status IN ('opted_in', 'opted_out', 'pending'))
      )`);
    await runner.query('CREATE UNIQUE INDEX consents_number ON chatapp.consents (organization_id, number)');
    await runner.query('CREATE INDEX consents_updated ON chatapp.consents (organization_id, updated_at)');
    for (const [table, organization] of CACHED_TABLES) {
      for (const sql of notifyChanges(table, organization)) await runner.query(sql);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE chatapp.consents');
    for (const [table] of CACHED_TABLES.toReversed()) {
      await runner.query(`DROP TABLE ${table}`);
      await runner.query(`DROP FUNCTION ${table}_changed()`);
    }
  }
}
