import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UpstreamAnswers1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The ids in the responses to the accepted submit, in the order of the parts. sms.parts has no index by message for single parts.
    await runner.query('ALTER TABLE sms.messages ADD COLUMN upstream_ids text[]');
    // Sent messages of several parts of which some are delivered and the others have no receipt yet.
    await runner.query(`
      CREATE TABLE sms.partial_deliveries (
        message_id uuid NOT NULL,
        done_at timestamptz NOT NULL,
        received_at timestamptz NOT NULL,
        CONSTRAINT partial_deliveries_pkey PRIMARY KEY (message_id)
      )`);
    await runner.query('CREATE INDEX partial_deliveries_received_at ON sms.partial_deliveries (received_at)');
    // Messages that wait for the receipts of other parts since before this table existed.
    await runner.query(`
      INSERT INTO sms.partial_deliveries (message_id, done_at, received_at)
      SELECT p.message_id, now(), now() FROM sms.parts AS p JOIN sms.messages AS m ON m.id = p.message_id
      WHERE p.parts > 1 AND m.status = 'sent'
      GROUP BY p.message_id
      HAVING bool_or(p.state = 'delivered') AND bool_and(p.state IS NULL OR p.state = 'delivered')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sms.partial_deliveries');
    await runner.query('ALTER TABLE sms.messages DROP COLUMN upstream_ids');
  }
}
