import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ImportsByOrganization1700000000331 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Workers lease the oldest import of each organization.
    await runner.query(`
      CREATE INDEX imports_waiting_organization ON contacts.imports (organization_id, created_at)
        WHERE status IN ('queued', 'running')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX contacts.imports_waiting_organization');
  }
}
