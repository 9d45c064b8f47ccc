import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Answers1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency.answers (
        caller_id uuid NOT NULL,
        endpoint text NOT NULL,
        key text NOT NULL,
        fingerprint text NOT NULL,
        status smallint NOT NULL,
        body json NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT answers_pkey PRIMARY KEY (caller_id, endpoint, key)
      )`);
    await runner.query('CREATE INDEX answers_expires_at ON idempotency.answers (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency.answers');
  }
}
