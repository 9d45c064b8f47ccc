import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Emails with Cc and Bcc: the kind of each recipient, and whether every copy shows the same To and Cc. */
export class RecipientKinds1700000000106 implements MigrationInterface {
  name = 'RecipientKinds1700000000106';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE email.messages ADD COLUMN shares_header boolean NOT NULL DEFAULT false');
    await runner.query(`
      ALTER TABLE email.recipients ADD COLUMN kind text NOT NULL DEFAULT 'to',
        ADD CONSTRAINT recipients_kind_check CHECK (kind IN ('to', 'cc', 'bcc'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE email.recipients DROP COLUMN kind');
    await runner.query('ALTER TABLE email.messages DROP COLUMN shares_header');
  }
}
