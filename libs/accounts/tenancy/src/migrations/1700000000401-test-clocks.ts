import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TestClocks1700000000401 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tenancy.organizations ADD COLUMN test_clock_seconds integer NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tenancy.organizations DROP COLUMN test_clock_seconds');
  }
}
