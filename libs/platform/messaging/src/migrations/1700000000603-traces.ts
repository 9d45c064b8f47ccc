import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The traces of requests, for what other processes do for them. Rows exist only for requests whose trace is recorded. */
export class Traces1700000000603 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE messaging.traces (
        request_id text NOT NULL,
        traceparent text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT traces_pkey PRIMARY KEY (request_id)
      )`);
    await runner.query('CREATE INDEX traces_created_at ON messaging.traces (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE messaging.traces');
  }
}
