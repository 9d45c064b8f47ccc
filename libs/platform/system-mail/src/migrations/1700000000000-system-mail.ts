import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SystemMail1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE system_mail.contents (
        id uuid NOT NULL,
        subject text NOT NULL,
        text text NOT NULL,
        html text NOT NULL,
        attachments json NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT contents_pkey PRIMARY KEY (id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE system_mail.contents');
  }
}
