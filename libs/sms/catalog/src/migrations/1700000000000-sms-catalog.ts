import { notifyChanges } from '@heliograph/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SmsCatalog1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sms.onboardings (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        name text NOT NULL,
        country text NOT NULL,
        status text NOT NULL,
        dlt_entity_id text,
        submitted_at timestamptz,
        decided_at timestamptz,
        rejection_reason text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT onboardings_pkey PRIMARY KEY (id),
        CONSTRAINT onboardings_status_check CHECK (status IN ('pending', 'approved', 'rejected'))
      )`);
    await runner.query('CREATE INDEX onboardings_status ON sms.onboardings (status, id)');
    await runner.query('CREATE UNIQUE INDEX onboardings_name ON sms.onboardings (organization_id, name)');
    await runner.query(`
      CREATE TABLE sms.senders (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        onboarding_id uuid NOT NULL,
        header text NOT NULL,
        dlt_sender_id text,
        is_active boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT senders_pkey PRIMARY KEY (id),
        CONSTRAINT senders_onboarding_fkey FOREIGN KEY (onboarding_id) REFERENCES sms.onboardings (id)
      )`);
    await runner.query('CREATE UNIQUE INDEX senders_header ON sms.senders (organization_id, header)');
    await runner.query(`
      CREATE TABLE sms.templates (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        onboarding_id uuid NOT NULL,
        name text NOT NULL,
        body text NOT NULL,
        dlt_template_id text,
        is_active boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT templates_pkey PRIMARY KEY (id),
        CONSTRAINT templates_onboarding_fkey FOREIGN KEY (onboarding_id) REFERENCES sms.onboardings (id)
      )`);
    await runner.query('CREATE UNIQUE INDEX templates_name ON sms.templates (onboarding_id, name)');
    await runner.query('CREATE INDEX templates_organization ON sms.templates (organization_id, name)');
    await runner.query(`
      CREATE TABLE sms.rates (
        country text NOT NULL,
        rate integer NOT NULL,
        CONSTRAINT rates_pkey PRIMARY KEY (country),
        CONSTRAINT rates_rate_check CHECK (rate >= 0 AND rate <= 1000000)
      )`);
    for (const table of ['sms.onboardings', 'sms.senders', 'sms.templates']) {
      for (const sql of notifyChanges(table, 'organization_id')) await runner.query(sql);
    }
    for (const sql of notifyChanges('sms.rates', null)) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['rates', 'templates', 'senders', 'onboardings']) {
      await runner.query(`DROP TABLE sms.${table}`);
      await runner.query(`DROP FUNCTION sms.${table}_changed()`);
    }
  }
}
