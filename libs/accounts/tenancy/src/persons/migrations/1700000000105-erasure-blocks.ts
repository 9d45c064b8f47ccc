import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ErasureBlocks1700000000105 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE persons.erasures ADD COLUMN blocked text[] NOT NULL DEFAULT '{}'");
    // Earlier erasures did not store whether the person had opted out, so they block as before.
    await runner.query(
      `UPDATE persons.erasures SET blocked = CASE kind WHEN 'email' THEN '{email}'::text[] ELSE '{sms,chatapp}'::text[] END`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE persons.erasures DROP COLUMN blocked');
  }
}
