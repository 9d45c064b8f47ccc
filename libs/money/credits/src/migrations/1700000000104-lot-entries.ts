import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Refunds trace the credits of a purchase through top-ups, transfers and adjustments (ADR 29). Charges are not indexed. */
export class LotEntries1700000000104 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX ledger_lots ON credits.ledger (workspace_id, credit_type, position)
       WHERE kind IN ('topup', 'transfer', 'adjustment')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX credits.ledger_lots');
  }
}
