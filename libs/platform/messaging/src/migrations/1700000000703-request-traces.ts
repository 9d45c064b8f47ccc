import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The traces of requests by organization, because callers choose the ids of their requests. Replaces `messaging.traces`, which
 * processes of version 1.0.0 use during the upgrade; a later release drops it.
 */
export class RequestTraces1700000000703 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE messaging.request_traces (
        organization_id uuid NOT NULL,
        request_id text NOT NULL,
        traceparent text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT request_traces_pkey PRIMARY KEY (request_id, organization_id)
      )`);
    await runner.query('CREATE INDEX request_traces_created_at ON messaging.request_traces (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE messaging.request_traces');
  }
}
