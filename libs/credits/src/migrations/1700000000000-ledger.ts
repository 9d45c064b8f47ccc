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
 * Posts entries in the order of their ord (0 and up, each once), per account. Locks the accounts in one order, so that
 * batches which cross cannot deadlock. An entry whose reference and kind are in the ledger already is answered as
 * 'repeated' with the balance it had left; one that would take the balance below zero as 'insufficient'. Charges and
 * refunds put their event into the outbox.
 *
 * Plans of a function outlive the day on which its tables were small, so none of them may depend on a size: big tables
 * are only ever asked for a key, and scanning them is switched off.
 */
export const POST = `
CREATE FUNCTION credits.post(entries credits.entry[])
RETURNS TABLE (ord integer, outcome text, balance bigint)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  account record;
  item record;
  workspace uuid;
  type text;
  running bigint;
  changed boolean := false;
  after bigint[];
BEGIN
  IF entries IS NULL THEN
    RETURN;
  END IF;

  FOR account IN
    SELECT e.workspace_id, e.credit_type, bool_or(e.amount > 0) AS grows FROM unnest(entries) AS e GROUP BY 1, 2 ORDER BY 1, 2
  LOOP
    IF account.grows THEN
      INSERT INTO credits.accounts (workspace_id, credit_type) VALUES (account.workspace_id, account.credit_type)
      ON CONFLICT DO NOTHING;
    END IF;
    PERFORM 1 FROM credits.accounts AS a
    WHERE a.workspace_id = account.workspace_id AND a.credit_type = account.credit_type FOR UPDATE;
  END LOOP;

  after := array_fill(NULL::bigint, ARRAY[(SELECT max(e.ord) + 1 FROM unnest(entries) AS e)]);
  -- After the locks: whoever posted the same before us has committed.
  FOR item IN
    SELECT e.ord, e.workspace_id, e.credit_type, e.amount,
      (SELECT l.balance_after FROM credits.ledger AS l WHERE l.reference = e.reference AND l.kind = e.kind) AS earlier
    FROM unnest(entries) AS e
    ORDER BY e.workspace_id, e.credit_type, e.ord
  LOOP
    IF workspace IS DISTINCT FROM item.workspace_id OR type IS DISTINCT FROM item.credit_type THEN
      IF changed THEN
        UPDATE credits.accounts AS a SET balance = running WHERE a.workspace_id = workspace AND a.credit_type = type;
        changed := false;
      END IF;
      workspace := item.workspace_id;
      type := item.credit_type;
      running := coalesce((SELECT a.balance FROM credits.accounts AS a WHERE a.workspace_id = workspace AND a.credit_type = type), 0);
    END IF;
    ord := item.ord;
    IF item.earlier IS NOT NULL THEN
      outcome := 'repeated'; balance := item.earlier;
    ELSIF running + item.amount < 0 THEN
      outcome := 'insufficient'; balance := running;
    ELSE
      running := running + item.amount;
      changed := true;
      after[item.ord + 1] := running;
      outcome := 'posted'; balance := running;
    END IF;
    RETURN NEXT;
  END LOOP;
  IF changed THEN
    UPDATE credits.accounts AS a SET balance = running WHERE a.workspace_id = workspace AND a.credit_type = type;
  END IF;

  INSERT INTO credits.ledger (id, workspace_id, credit_type, kind, amount, balance_after, reference)
  SELECT e.id, e.workspace_id, e.credit_type, e.kind, e.amount, after[e.ord + 1], e.reference
  FROM unnest(entries) AS e WHERE after[e.ord + 1] IS NOT NULL;

  INSERT INTO messaging.outbox (id, type, payload)
  SELECT e.id, event.type, json_build_object(
    'id', e.id, 'type', event.type, 'version', 1,
    'time', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'organizationId', e.organization_id, 'workspaceId', e.workspace_id, 'correlationId', e.correlation_id,
    'data', json_build_object(
      'entryId', e.id, 'workspaceId', e.workspace_id, 'creditType', e.credit_type,
      'amount', e.amount, 'balanceAfter', after[e.ord + 1], 'reference', e.reference))
  FROM unnest(entries) AS e
  CROSS JOIN LATERAL (SELECT CASE e.kind WHEN 'charge' THEN 'credits.charged' ELSE 'credits.refunded' END AS type) AS event
  WHERE after[e.ord + 1] IS NOT NULL AND e.kind IN ('charge', 'refund');
END $$`;
