import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events wait by organization, so that organizations can take turns while there is a backlog. */
export class EventTurns1700000000403 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // This rewrites the table. Its rows usually exist for milliseconds, so it is small. PostgreSQL computes the column, because processes
    // of the previous release add events without it. It is a hash, because an id that is not a UUID must not make the insert fail. It is
    // null for jobs in a lane, which `take_jobs` takes.
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
