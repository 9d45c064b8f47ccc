import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Subscriptions without a payment grant no plan, and a payment of zero settles its own invoice only (ADR 13). */
export class SubscriptionGrants1700000000104 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE billing.subscriptions ADD COLUMN granted text');
    // Until now, every status but the initial one granted the plan that an event named.
    await runner.query(
      `UPDATE billing.subscriptions SET granted = coalesce(activated, planned)
       WHERE activated IS NOT NULL OR status NOT IN ('incomplete', 'incomplete_expired')`,
    );
    await runner.query(`
      CREATE TABLE billing.zero_payments (
        customer text NOT NULL,
        invoice_id text NOT NULL,
        moment text NOT NULL,
        CONSTRAINT zero_payments_pkey PRIMARY KEY (customer, invoice_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE billing.zero_payments');
    await runner.query('ALTER TABLE billing.subscriptions DROP COLUMN granted');
  }
}
