import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ModelUses1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE bots.model_uses (
        bot_id uuid NOT NULL,
        day date NOT NULL,
        tokens bigint NOT NULL,
        CONSTRAINT model_uses_pkey PRIMARY KEY (bot_id, day)
      ) WITH (fillfactor = 70)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE bots.model_uses');
  }
}
