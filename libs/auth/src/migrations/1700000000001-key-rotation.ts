import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A rotated key works with both secrets for a while. */
export class KeyRotation1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE auth.api_keys
        ADD COLUMN previous_hash bytea,
        ADD COLUMN previous_expires_at timestamptz`);
    await runner.query('CREATE UNIQUE INDEX api_keys_previous_hash ON auth.api_keys (previous_hash)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX auth.api_keys_previous_hash');
    await runner.query('ALTER TABLE auth.api_keys DROP COLUMN previous_hash, DROP COLUMN previous_expires_at');
  }
}
