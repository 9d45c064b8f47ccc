import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Only `credits.post` (sql/post.sql) changes balances and the ledger. */
export class Ledger1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE credits.accounts (
        workspace_id uuid NOT NULL,
        credit_type text NOT NULL,
        balance bigint NOT NULL DEFAULT 0,
        low_threshold bigint,
        CONSTRAINT accounts_pkey PRIMARY KEY (workspace_id, credit_type),
        CONSTRAINT accounts_balance_check CHECK (balance >= 0),
        CONSTRAINT accounts_balance_limit_check CHECK (balance <= 9000000000000000),
        CONSTRAINT accounts_low_threshold_check CHECK (low_threshold > 0)
      ) WITH (fillfactor = 50)`);
    // The position is the order of posting.
    await runner.query(`
      CREATE TABLE credits.ledger (
        id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        credit_type text NOT NULL,
        kind text NOT NULL,
        amount bigint NOT NULL,
        balance_after bigint NOT NULL,
        reference text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        position bigint NOT NULL,
        CONSTRAINT ledger_pkey PRIMARY KEY (id),
        CONSTRAINT ledger_kind_check CHECK (kind IN ('charge', 'refund', 'topup', 'transfer', 'adjustment')),
        CONSTRAINT ledger_amount_check
          CHECK (amount BETWEEN -1000000000000 AND 1000000000000 AND (amount <> 0 OR kind = 'charge'))
      )`);
    await runner.query('CREATE SEQUENCE credits.ledger_position OWNED BY credits.ledger.position');
    await runner.query(
      "ALTER TABLE credits.ledger ALTER COLUMN position SET DEFAULT nextval('credits.ledger_position')",
    );
    await runner.query('CREATE UNIQUE INDEX ledger_reference ON credits.ledger (reference, kind)');
    await runner.query('CREATE INDEX ledger_workspace ON credits.ledger (workspace_id, created_at, position)');
    // Functions of other schemas use this type, so it is not replaced with the functions of this one.
    await runner.query(`
      CREATE TYPE credits.entry AS (
        ord integer,
        id uuid,
        organization_id uuid,
        workspace_id uuid,
        credit_type text,
        kind text,
        amount bigint,
        reference text,
        correlation_id text
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TYPE credits.entry');
    await runner.query('DROP TABLE credits.ledger');
    await runner.query('DROP TABLE credits.accounts');
  }
}
