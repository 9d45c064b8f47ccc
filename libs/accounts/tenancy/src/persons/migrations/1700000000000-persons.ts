import { notifyChanges } from '@heliograph/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Persons1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE persons.erasures (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        kind text NOT NULL,
        hash bytea NOT NULL,
        value text,
        round integer NOT NULL DEFAULT 1,
        pending text[] NOT NULL,
        requested_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz,
        CONSTRAINT erasures_pkey PRIMARY KEY (id),
        CONSTRAINT erasures_kind_check CHECK (kind IN ('email', 'phone'))
      )`);
    await runner.query('CREATE UNIQUE INDEX erasures_person ON persons.erasures (organization_id, kind, hash)');
    for (const sql of notifyChanges('persons.erasures', 'organization_id')) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE persons.erasures');
    await runner.query('DROP FUNCTION persons.erasures_changed');
  }
}
