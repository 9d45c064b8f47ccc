import type { MigrationInterface, QueryRunner } from 'typeorm';

export class InvitationMails1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users.invitation_mails (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        email text NOT NULL,
        is_resend boolean NOT NULL DEFAULT false,
        sent_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT invitation_mails_pkey PRIMARY KEY (id)
      )`);
    await runner.query(
      'CREATE INDEX invitation_mails_organization ON users.invitation_mails (organization_id, sent_at)',
    );
    await runner.query('CREATE INDEX invitation_mails_email ON users.invitation_mails (email, sent_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE users.invitation_mails');
  }
}
