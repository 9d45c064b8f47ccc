import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the columns that an earlier release added to `bots.messages` by changing the migration that created the table. A
 * database that was created before lacks them.
 */
export class BotMessageOrigins1700000000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE bots.messages
        ADD COLUMN IF NOT EXISTS correlation_id text,
        ADD COLUMN IF NOT EXISTS key_id uuid,
        ADD COLUMN IF NOT EXISTS client_address text`);
  }

  async down(): Promise<void> {
    // The migration that creates the table contains the columns.
  }
}
