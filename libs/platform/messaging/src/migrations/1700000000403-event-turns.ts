import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events wait by organization, so that organizations can take turns while there is a backlog. */
export class EventTurns1700000000403 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Rewrites the table, whose rows usually exist for milliseconds. PostgreSQL computes the column, so that the release before
    // adds events without knowing it. A hash, because it accepts every text and is small. Jobs in a lane have their own turns.
    await runner.query(`
      ALTER TABLE messaging.outbox ADD COLUMN organization_hash bigint GENERATED ALWAYS AS (
        CASE WHEN NOT in_lane THEN hashtextextended(coalesce(lane::text, payload ->> 'organizationId', ''), 0) END) STORED`);
    await runner.query(
      'CREATE INDEX outbox_organizations ON messaging.outbox (organization_hash, available_at) WHERE NOT in_lane',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messaging.outbox DROP COLUMN organization_hash');
  }
}
