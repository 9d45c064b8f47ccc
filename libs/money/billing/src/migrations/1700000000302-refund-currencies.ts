import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Refunded amounts by currency: a refund in another currency than its purchase takes no credits (ADR 29). */
export class RefundCurrencies1700000000302 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE billing.refunds ADD COLUMN amounts jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE billing.refunds DROP COLUMN amounts');
  }
}
