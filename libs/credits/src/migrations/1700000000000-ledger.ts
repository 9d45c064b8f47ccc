import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `credits.post` is the only statement that moves credits; everything in this schema changes through it. */
export class Ledger1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE credits.accounts (
        workspace_id uuid NOT NULL,
        credit_type text NOT NULL,
        balance bigint NOT NULL DEFAULT 0,
        CONSTRAINT accounts_pkey PRIMARY KEY (workspace_id, credit_type),
        CONSTRAINT accounts_balance_check CHECK (balance >= 0)
      ) WITH (fillfactor = 50)`);
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
        CONSTRAINT ledger_pkey PRIMARY KEY (id),
        CONSTRAINT ledger_kind_check CHECK (kind IN ('charge', 'refund', 'topup', 'transfer', 'adjustment'))
      )`);
    await runner.query('CREATE UNIQUE INDEX ledger_reference ON credits.ledger (reference, kind)');
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
    await runner.query(POST);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION credits.post(credits.entry[])');
    await runner.query('DROP TYPE credits.entry');
    await runner.query('DROP TABLE credits.ledger');
    await runner.query('DROP TABLE credits.accounts');
  }
}

/**
 * Posts entries in the order of their ord, per account. Locks the accounts in one order, so that batches which cross
 * cannot deadlock. An entry whose reference and kind are in the ledger already is answered as 'repeated' with the
 * balance it had left; one that would take the balance below zero as 'insufficient'. Charges and refunds put their
 * event into the outbox.
 */
const POST = `
CREATE FUNCTION credits.post(entries credits.entry[])
RETURNS TABLE (ord integer, outcome text, balance bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  item record;
  account_workspace uuid;
  account_type text;
  running bigint;
  posted integer[] := '{}';
  after bigint[] := '{}';
BEGIN
  INSERT INTO credits.accounts (workspace_id, credit_type)
  SELECT DISTINCT e.workspace_id, e.credit_type FROM unnest(entries) AS e WHERE e.amount > 0
  ORDER BY 1, 2
  ON CONFLICT DO NOTHING;

  PERFORM 1 FROM credits.accounts AS a
  WHERE (a.workspace_id, a.credit_type) IN (SELECT e.workspace_id, e.credit_type FROM unnest(entries) AS e)
  ORDER BY a.workspace_id, a.credit_type
  FOR UPDATE;

  FOR item IN
    SELECT e.ord, e.workspace_id, e.credit_type, e.amount, coalesce(a.balance, 0) AS balance, l.balance_after AS earlier
    FROM unnest(entries) AS e
    LEFT JOIN credits.accounts AS a ON a.workspace_id = e.workspace_id AND a.credit_type = e.credit_type
    LEFT JOIN credits.ledger AS l ON l.reference = e.reference AND l.kind = e.kind
    ORDER BY e.workspace_id, e.credit_type, e.ord
  LOOP
    IF account_workspace IS DISTINCT FROM item.workspace_id OR account_type IS DISTINCT FROM item.credit_type THEN
      account_workspace := item.workspace_id;
      account_type := item.credit_type;
      running := item.balance;
    END IF;
    IF item.earlier IS NOT NULL THEN
      ord := item.ord; outcome := 'repeated'; balance := item.earlier;
    ELSIF running + item.amount < 0 THEN
      ord := item.ord; outcome := 'insufficient'; balance := running;
    ELSE
      running := running + item.amount;
      posted := posted || item.ord;
      after := after || running;
      ord := item.ord; outcome := 'posted'; balance := running;
    END IF;
    RETURN NEXT;
  END LOOP;

  IF cardinality(posted) = 0 THEN
    RETURN;
  END IF;

  UPDATE credits.accounts AS a SET balance = a.balance + moved.amount
  FROM (
    SELECT e.workspace_id, e.credit_type, sum(e.amount) AS amount
    FROM unnest(entries) AS e JOIN unnest(posted) AS p (ord) ON p.ord = e.ord
    GROUP BY 1, 2
  ) AS moved
  WHERE a.workspace_id = moved.workspace_id AND a.credit_type = moved.credit_type;

  INSERT INTO credits.ledger (id, workspace_id, credit_type, kind, amount, balance_after, reference)
  SELECT e.id, e.workspace_id, e.credit_type, e.kind, e.amount, p.balance, e.reference
  FROM unnest(posted, after) AS p (ord, balance) JOIN unnest(entries) AS e ON e.ord = p.ord;

  INSERT INTO messaging.outbox (id, type, payload)
  SELECT e.id, event.type, json_build_object(
    'id', e.id, 'type', event.type, 'version', 1,
    'time', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'organizationId', e.organization_id, 'workspaceId', e.workspace_id, 'correlationId', e.correlation_id,
    'data', json_build_object(
      'entryId', e.id, 'workspaceId', e.workspace_id, 'creditType', e.credit_type,
      'amount', e.amount, 'balanceAfter', p.balance, 'reference', e.reference))
  FROM unnest(posted, after) AS p (ord, balance)
  JOIN unnest(entries) AS e ON e.ord = p.ord
  JOIN (VALUES ('charge', 'credits.charged'), ('refund', 'credits.refunded')) AS event (kind, type) ON event.kind = e.kind;
END $$`;
