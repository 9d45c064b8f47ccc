import { notifyChanges } from '@heliograph/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Organizations1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tenancy.organizations (
        id uuid NOT NULL,
        slug text NOT NULL,
        name text NOT NULL,
        ip_allowlist text[] NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT organizations_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE UNIQUE INDEX organizations_slug ON tenancy.organizations (slug)');
    await runner.query(`
      CREATE TABLE tenancy.workspaces (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        slug text NOT NULL,
        display_name text NOT NULL,
        plan text NOT NULL,
        status text NOT NULL,
        billing_customer text,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT workspaces_pkey PRIMARY KEY (id),
        CONSTRAINT workspaces_organization_fkey FOREIGN KEY (organization_id) REFERENCES tenancy.organizations (id),
        CONSTRAINT workspaces_status_check CHECK (status IN ('active', 'past_due', 'canceled', 'locked'))
      )`);
    await runner.query('CREATE UNIQUE INDEX workspaces_slug ON tenancy.workspaces (slug)');
    // The customer id of the payment processor identifies one workspace; every payment event looks it up.
    await runner.query('CREATE UNIQUE INDEX workspaces_billing_customer ON tenancy.workspaces (billing_customer)');
    await runner.query('CREATE INDEX workspaces_organization ON tenancy.workspaces (organization_id, created_at)');
    for (const sql of notifyChanges('tenancy.organizations', 'id')) await runner.query(sql);
    for (const sql of notifyChanges('tenancy.workspaces', 'organization_id')) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tenancy.workspaces');
    await runner.query('DROP TABLE tenancy.organizations');
    await runner.query('DROP FUNCTION tenancy.workspaces_changed()');
    await runner.query('DROP FUNCTION tenancy.organizations_changed()');
  }
}
