import type { MigrationInterface, QueryRunner } from 'typeorm';
import { POST } from './1700000000000-ledger';
import { POST_WITH_THRESHOLDS } from './sql/post';

/** Accounts may have a threshold; ledger entries get their place in the order of posting, and a workspace's are found by time. */
export class ThresholdsAndPositions1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // In the order of credits.post: one that runs meanwhile must not wait for us while we wait for it.
    await runner.query('LOCK TABLE credits.accounts, credits.ledger');
    await runner.query(`
      ALTER TABLE credits.accounts ADD COLUMN low_threshold bigint,
        ADD CONSTRAINT accounts_low_threshold_check CHECK (low_threshold > 0),
        ADD CONSTRAINT accounts_balance_limit_check CHECK (balance <= 9000000000000000)`);
    await runner.query('ALTER TABLE credits.ledger ADD COLUMN position bigint');
    // Older entries come before all others; in which order they were posted within an account is not known for sure.
    await runner.query(`
      UPDATE credits.ledger AS l SET position = o.n - o.total FROM (
        SELECT id, row_number() OVER (ORDER BY created_at, id) AS n, count(*) OVER () AS total FROM credits.ledger
      ) AS o WHERE o.id = l.id`);
    await runner.query('CREATE SEQUENCE credits.ledger_position OWNED BY credits.ledger.position');
    await runner.query(`
      ALTER TABLE credits.ledger ALTER COLUMN position SET NOT NULL,
        ALTER COLUMN position SET DEFAULT nextval('credits.ledger_position'),
        ADD CONSTRAINT ledger_amount_check
          CHECK (amount BETWEEN -1000000000000 AND 1000000000000 AND (amount <> 0 OR kind = 'charge')) NOT VALID`);
    await runner.query('CREATE INDEX ledger_workspace ON credits.ledger (workspace_id, created_at, position)');
    await runner.query(POST_WITH_THRESHOLDS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION credits.post(credits.entry[])');
    await runner.query(POST);
    await runner.query('DROP INDEX credits.ledger_workspace');
    await runner.query('ALTER TABLE credits.ledger DROP CONSTRAINT ledger_amount_check, DROP COLUMN position');
    await runner.query(`
      ALTER TABLE credits.accounts DROP CONSTRAINT accounts_low_threshold_check,
        DROP CONSTRAINT accounts_balance_limit_check, DROP COLUMN low_threshold`);
  }
}
