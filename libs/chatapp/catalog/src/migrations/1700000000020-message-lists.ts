import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of an organization, newest first, and of a recipient. The columns of a sent message never change. */
export class MessageLists1700000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX messages_organization ON chatapp.messages (organization_id, id)');
    await runner.query('CREATE INDEX messages_recipient ON chatapp.messages (organization_id, recipient, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX chatapp.messages_organization, chatapp.messages_recipient');
  }
}
