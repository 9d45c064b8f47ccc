import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The provider's timestamp of an inbound message. It arrives later if the webhook is repeated. */
export class InboundTimes1700000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chatapp.messages ADD COLUMN occurred_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chatapp.messages DROP COLUMN occurred_at');
  }
}
