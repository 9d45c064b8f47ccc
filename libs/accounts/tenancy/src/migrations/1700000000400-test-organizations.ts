import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The test twin of an organization is recognized by its id, so that no look-up decides whether a message may leave. */
export class TestOrganizations1700000000400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tenancy.organizations ADD COLUMN test_of uuid');
    await runner.query(`
      ALTER TABLE tenancy.organizations ADD CONSTRAINT organizations_test_id_check
      CHECK ((test_of IS NOT NULL) = (substr(id::text, 15, 1) = '8'))`);
    await runner.query('CREATE UNIQUE INDEX organizations_test_of ON tenancy.organizations (test_of)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tenancy.organizations DROP COLUMN test_of');
  }
}
