import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ReportErrorCodes1700000000202 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE analytics.reports ADD COLUMN error_code text');
    await runner.query(`
      UPDATE analytics.reports
      SET error_code = CASE WHEN error LIKE 'A person was erased%' THEN 'PERSON_ERASED' ELSE 'INTERNAL_ERROR' END
      WHERE error IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE analytics.reports DROP COLUMN error_code');
  }
}
