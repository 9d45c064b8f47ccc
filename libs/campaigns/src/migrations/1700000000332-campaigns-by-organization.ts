import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CampaignsByOrganization1700000000332 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Workers lease the due campaigns of each organization.
    await runner.query(`
      CREATE INDEX campaigns_due_organization ON campaigns.campaigns (channel, organization_id, due_at)
        WHERE status IN ('scheduled', 'running') OR status = 'canceled' AND swept_to IS NOT NULL`);
    // Set while the audience is being stored: the id of the last stored contact.
    await runner.query('ALTER TABLE campaigns.campaigns ADD COLUMN audience_to uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE campaigns.campaigns DROP COLUMN audience_to');
    await runner.query('DROP INDEX campaigns.campaigns_due_organization');
  }
}
