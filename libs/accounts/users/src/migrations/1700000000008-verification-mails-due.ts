import type { MigrationInterface, QueryRunner } from 'typeorm';

export class VerificationMailsDue1700000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users.email_verifications ADD COLUMN mail_due_at timestamptz');
    await runner.query(
      `CREATE INDEX email_verifications_mail_due ON users.email_verifications (mail_due_at)
       WHERE mail_due_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users.email_verifications DROP COLUMN mail_due_at');
  }
}
