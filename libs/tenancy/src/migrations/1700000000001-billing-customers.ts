import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A customer of the payment processor pays for one workspace, and is looked up by every payment event. */
export class BillingCustomers1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE UNIQUE INDEX workspaces_billing_customer ON tenancy.workspaces (billing_customer)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX tenancy.workspaces_billing_customer');
  }
}
