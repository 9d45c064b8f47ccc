import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Jobs wait in the outbox, in a lane for each queue, kind and organization, and only a short window of them in the
 * broker.
 */
export class JobLanes1700000000102 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The release before adds events without these columns. They are published at once, as before.
    await runner.query(`
      ALTER TABLE messaging.outbox
        ADD COLUMN job_queue text,
        ADD COLUMN kind smallint,
        ADD COLUMN lane uuid,
        ADD COLUMN in_lane boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT outbox_lane CHECK (NOT in_lane OR job_queue IS NOT NULL AND kind IS NOT NULL AND lane IS NOT NULL)`);
    await runner.query(
      'CREATE INDEX outbox_lanes ON messaging.outbox (job_queue, kind, lane, available_at) WHERE in_lane',
    );
    await runner.query('CREATE INDEX outbox_due ON messaging.outbox (available_at) WHERE NOT in_lane');
    // Every row is in one of the new indexes, so that an insert writes as many indexes as before.
    await runner.query('DROP INDEX messaging.outbox_available_at');
    await runner.query(`
      CREATE TABLE messaging.job_queues (
        queue text NOT NULL,
        credits double precision[] NOT NULL DEFAULT '{0,0,0}',
        cursors uuid[] NOT NULL DEFAULT '{NULL,NULL,NULL}',
        published bigint NOT NULL DEFAULT 0,
        flow json,
        was_full boolean NOT NULL DEFAULT false,
        CONSTRAINT job_queues_pkey PRIMARY KEY (queue)
      ) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`);
    await runner.query(`INSERT INTO messaging.job_queues (queue) VALUES ('sms-api.send')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX outbox_available_at ON messaging.outbox (available_at)');
    await runner.query('DROP TABLE messaging.job_queues');
    await runner.query(`
      ALTER TABLE messaging.outbox
        DROP COLUMN job_queue,
        DROP COLUMN kind,
        DROP COLUMN lane,
        DROP COLUMN in_lane`);
  }
}
