import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The search for jobs whose events were lost, and the jobs that were published again. */
export class Requeues1700000000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE messaging.sweeps (
        source text NOT NULL,
        position timestamptz NOT NULL DEFAULT '-infinity',
        hold_at timestamptz,
        found_at timestamptz,
        oldest_at timestamptz,
        swept_at timestamptz,
        CONSTRAINT sweeps_pkey PRIMARY KEY (source)
      )`);
    await runner.query(`
      CREATE TABLE messaging.requeues (
        source text NOT NULL,
        job_id text NOT NULL,
        times smallint NOT NULL DEFAULT 0,
        requeued_at timestamptz NOT NULL,
        CONSTRAINT requeues_pkey PRIMARY KEY (source, job_id)
      )`);
    await runner.query('CREATE INDEX requeues_requeued_at ON messaging.requeues (requeued_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE messaging.requeues');
    await runner.query('DROP TABLE messaging.sweeps');
  }
}
