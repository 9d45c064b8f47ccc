import { Inject, Injectable } from '@nestjs/common';
import { METRICS, Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';

const EVERY_MS = 5_000;
/** Accounts of one run. */
const SLICE = 200;
/**
 * Entries of an account that can be its newest: `created_at` is the start of a transaction, `position` the order of
 * posting, and as many transactions can post to an account at the same time at most.
 */
const NEWEST = 1_000;
const FIRST_ACCOUNT: AccountKey = { workspaceId: '00000000-0000-0000-0000-000000000000', creditType: '' };

/**
 * One statement sees the balance and the entries of the same moment. Entries without a positive position are not in the order of
 * posting; `npm run ops -- reconcile` includes them.
 */
const COMPARE = `SELECT a.workspace_id AS "workspaceId", a.credit_type AS "creditType",
    coalesce(a.balance <> newest.balance_after, false) AS drifts
  FROM (SELECT workspace_id, credit_type, balance FROM credits.accounts
        WHERE (workspace_id, credit_type) > ($1::uuid, $2) ORDER BY workspace_id, credit_type LIMIT ${SLICE}) AS a
  LEFT JOIN LATERAL (
    SELECT l.balance_after FROM (
      SELECT e.balance_after, e.position FROM credits.ledger AS e
      WHERE e.workspace_id = a.workspace_id AND e.credit_type = a.credit_type AND e.position > 0
      ORDER BY e.created_at DESC, e.position DESC LIMIT ${NEWEST}) AS l
    ORDER BY l.position DESC LIMIT 1) AS newest ON true
  ORDER BY 1, 2`;

interface AccountKey {
  workspaceId: string;
  creditType: string;
}

/**
 * Compares each balance with the newest entry of its account, some accounts at a time, so that a difference raises an
 * alert within minutes without a reading of the whole ledger. `reconcile` compares everything.
 */
@Injectable()
export class LedgerDrift {
  private position = FIRST_ACCOUNT;
  /** Of the current pass. */
  private found = 0;
  /** Of the last complete pass. */
  private accounts = 0;
  private checkedAtSeconds = 0;

  constructor(
    private readonly pool: Pool,
    @Inject(METRICS) registry: Registry,
  ) {
    const registers = [registry];
    const current = (): number => Math.max(this.accounts, this.found);
    const checkedAt = (): number => this.checkedAtSeconds;
    new Gauge({
      name: 'ledger_drift_accounts',
      help: 'Accounts whose balance differs from that of their newest ledger entry, in the current or the last pass over all accounts',
      registers,
      collect() {
        this.set(current());
      },
    });
    new Gauge({
      name: 'ledger_checked_timestamp_seconds',
      help: 'Unix time at which the last pass over all accounts has ended; 0 before the first one',
      registers,
      collect() {
        this.set(checkedAt());
      },
    });
  }

  /** Compares the next accounts. */
  @Periodic({ everyMs: EVERY_MS, role: 'worker' })
  async check(): Promise<void> {
    const { workspaceId, creditType } = this.position;
    const { rows } = await this.pool.query<AccountKey & { drifts: boolean }>(COMPARE, [workspaceId, creditType]);
    this.found += rows.filter(({ drifts }) => drifts).length;
    const last = rows.at(-1);
    if (last && rows.length === SLICE) {
      this.position = last;
      return;
    }
    this.accounts = this.found;
    this.checkedAtSeconds = Date.now() / 1000;
    this.found = 0;
    this.position = FIRST_ACCOUNT;
  }
}
