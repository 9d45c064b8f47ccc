import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AuditLog1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit.entries (
        id uuid NOT NULL,
        organization_id uuid,
        workspace_id uuid,
        actor_kind text NOT NULL,
        actor_id uuid,
        actor_name text NOT NULL,
        action text NOT NULL,
        target_type text NOT NULL,
        target_id text NOT NULL,
        before jsonb,
        after jsonb,
        ip_address text,
        user_agent text,
        request_id text,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT entries_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE INDEX entries_organization ON audit.entries (organization_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit.entries');
  }
}
