import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Disputes freeze the credits of a purchase until they are won or lost (ADR 29). */
export class Disputes1700000000204 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE billing.purchases
        ADD COLUMN credits_frozen bigint NOT NULL DEFAULT 0,
        ADD COLUMN credits_freeze_due bigint NOT NULL DEFAULT 0`);
    // Disputes by payment: one may be reported before its payment.
    await runner.query(`
      CREATE TABLE billing.disputes (
        id text NOT NULL,
        payment_id text NOT NULL,
        amount bigint,
        currency text,
        status text NOT NULL,
        CONSTRAINT disputes_pkey PRIMARY KEY (id),
        CONSTRAINT disputes_status_check CHECK (status IN ('open', 'won', 'lost'))
      )`);
    await runner.query('CREATE INDEX disputes_payment ON billing.disputes (payment_id)');
    await runner.query(`
      CREATE TABLE billing.frozen_credits (
        purchase_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        credits bigint NOT NULL,
        CONSTRAINT frozen_credits_pkey PRIMARY KEY (purchase_id, workspace_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE billing.frozen_credits');
    await runner.query('DROP TABLE billing.disputes');
    await runner.query('ALTER TABLE billing.purchases DROP COLUMN credits_frozen, DROP COLUMN credits_freeze_due');
  }
}
