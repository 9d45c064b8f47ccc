import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CampaignSweeps1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Set while the waiting messages of a resumed or canceled campaign are processed: the id of the last processed message.
    await runner.query(`
      ALTER TABLE campaigns.campaigns
        ADD COLUMN swept_to uuid,
        ADD COLUMN canceled integer NOT NULL DEFAULT 0`);
    await runner.query(`
      CREATE INDEX campaigns_canceling ON campaigns.campaigns (channel, due_at)
        WHERE status = 'canceled' AND swept_to IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX campaigns.campaigns_canceling');
    await runner.query('ALTER TABLE campaigns.campaigns DROP COLUMN swept_to, DROP COLUMN canceled');
  }
}
