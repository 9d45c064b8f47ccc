import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The event of each request, which can be published again under its id. Requests of earlier releases have none. */
export class StoredRequests1700000000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE system_mail.contents ADD COLUMN event json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE system_mail.contents DROP COLUMN event');
  }
}
