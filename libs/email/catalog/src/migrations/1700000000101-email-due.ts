import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The scheduled messages of all organizations by their time, to find those that are due and unfinished. */
export class EmailDue1700000000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Its column never changes, so that updates of a message do not touch the index.
    await runner.query('CREATE INDEX messages_due ON email.messages (scheduled_at) WHERE scheduled_at IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX email.messages_due');
  }
}
