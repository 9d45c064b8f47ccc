import { notifyChanges } from '@heliograph/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ApiKeys1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE auth.api_keys (
        id uuid NOT NULL,
        organization_id uuid,
        workspace_id uuid,
        name text NOT NULL,
        hash bytea NOT NULL,
        previous_hash bytea,
        previous_expires_at timestamptz,
        last_four text NOT NULL,
        scopes text[] NOT NULL DEFAULT '{}',
        role text NOT NULL,
        expires_at timestamptz,
        revoked_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT api_keys_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE UNIQUE INDEX api_keys_hash ON auth.api_keys (hash)');
    await runner.query('CREATE UNIQUE INDEX api_keys_previous_hash ON auth.api_keys (previous_hash)');
    await runner.query('CREATE UNIQUE INDEX api_keys_name ON auth.api_keys (organization_id, name)');
    // A separate table, so that recording a use does not invalidate cached keys.
    await runner.query(`
      CREATE TABLE auth.api_key_uses (
        api_key_id uuid NOT NULL,
        last_used_at timestamptz NOT NULL,
        CONSTRAINT api_key_uses_pkey PRIMARY KEY (api_key_id)
      ) WITH (fillfactor = 50)`);
    for (const sql of notifyChanges('auth.api_keys', 'organization_id')) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE auth.api_key_uses');
    await runner.query('DROP TABLE auth.api_keys');
    await runner.query('DROP FUNCTION auth.api_keys_changed()');
  }
}
