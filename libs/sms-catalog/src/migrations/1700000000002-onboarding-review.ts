import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Onboardings are submitted and decided on; senders and templates change through an API that shows when. */
export class OnboardingReview1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sms.onboardings
        ADD COLUMN submitted_at timestamptz,
        ADD COLUMN decided_at timestamptz,
        ADD COLUMN rejection_reason text,
        ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now()`);
    await runner.query('CREATE INDEX onboardings_status ON sms.onboardings (status, id)');
    for (const table of ['senders', 'templates']) {
      await runner.query(`ALTER TABLE sms.${table} ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['senders', 'templates']) {
      await runner.query(`ALTER TABLE sms.${table} DROP COLUMN updated_at`);
    }
    await runner.query('DROP INDEX sms.onboardings_status');
    await runner.query(`
      ALTER TABLE sms.onboardings
        DROP COLUMN submitted_at, DROP COLUMN decided_at, DROP COLUMN rejection_reason, DROP COLUMN updated_at`);
  }
}
