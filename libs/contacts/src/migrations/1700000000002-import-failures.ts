import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ImportFailures1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contacts.imports ADD COLUMN failures smallint NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contacts.imports DROP COLUMN failures');
  }
}
