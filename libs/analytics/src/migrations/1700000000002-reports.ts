import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Reports1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // What is durable of an unfinished file is in `progress`; `started_at` is when its first row was read.
    // A run holds the lease; a run that has lost it changes nothing any more.
    await runner.query(`
      CREATE TABLE analytics.reports (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid,
        type text NOT NULL,
        format text NOT NULL,
        filters jsonb NOT NULL DEFAULT '{}',
        since timestamptz(3),
        before timestamptz(3) NOT NULL,
        status text NOT NULL DEFAULT 'queued',
        rows bigint NOT NULL DEFAULT 0,
        bytes bigint,
        error text,
        attempts smallint NOT NULL DEFAULT 0,
        progress jsonb,
        started_at timestamptz,
        run_id uuid,
        lease_until timestamptz,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        finished_at timestamptz(3),
        CONSTRAINT reports_pkey PRIMARY KEY (id),
        CONSTRAINT reports_status_check CHECK (status IN ('queued', 'running', 'completed', 'failed'))
      )`);
    await runner.query('CREATE INDEX reports_organization ON analytics.reports (organization_id, id)');
    await runner.query(`CREATE INDEX reports_waiting ON analytics.reports (id) WHERE status IN ('queued', 'running')`);
    await runner.query('CREATE INDEX reports_created ON analytics.reports (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE analytics.reports');
  }
}
