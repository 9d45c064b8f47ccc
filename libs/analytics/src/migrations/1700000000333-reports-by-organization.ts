import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ReportsByOrganization1700000000333 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Workers lease the oldest report of each organization.
    await runner.query(`
      CREATE INDEX reports_waiting_organization ON analytics.reports (organization_id, id)
        WHERE status IN ('queued', 'running')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX analytics.reports_waiting_organization');
  }
}
