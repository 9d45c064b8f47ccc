import { Inject, Injectable } from '@nestjs/common';
import { balanceOf } from '@heliograph/credits';
import { rolledBack } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { AlreadyClaimedError } from '@heliograph/idempotency';
import { OrganizationQuota, type LimitedKind } from '@heliograph/tenancy';
import { Backlog, Relay } from '@heliograph/messaging';
import { CONFIG, jsonInTurns, METRICS } from '@heliograph/service-kit';
import { Pool, type PoolClient } from 'pg';
import { Counter, type Registry } from 'prom-client';
import type { SmsApiConfig } from '../sms-api.config';
import { Acceptance, type AcceptanceRow } from './acceptance';

const SCHEDULED: LimitedKind = {
  setting: 'LIMITS_SMS_SCHEDULED',
  rows: `SELECT FROM sms.messages WHERE organization_id = $1 AND scheduled_at > now() AND status = 'scheduled'`,
};
/** Errors that `sms.accept_all` raises. */
const INSUFFICIENT = 'HG001';
const REPEATED = 'HG002';

/** Charges and stores checked messages, and wakes the relay. */
@Injectable()
export class AcceptService {
  private readonly accepted: Counter;
  private readonly scheduled: OrganizationQuota;

  constructor(
    private readonly acceptance: Acceptance,
    private readonly relay: Relay,
    private readonly backlog: Backlog,
    private readonly pool: Pool,
    @Inject(CONFIG) config: SmsApiConfig,
    @Inject(METRICS) registry: Registry,
  ) {
    this.scheduled = new OrganizationQuota(pool, SCHEDULED, config.LIMITS_SMS_SCHEDULED);
    this.accepted = new Counter({
      name: 'sms_accepted_total',
      help: 'Messages accepted and charged',
      registers: [registry],
    });
  }

  /** Throws SERVICE_UNAVAILABLE while too many messages wait, and LIMIT_REACHED for too many scheduled messages. */
  async assertRoom(owner: { organizationId: string }, scheduled: number): Promise<void> {
    this.backlog.assertRoom(owner.organizationId);
    if (scheduled > 0) await this.scheduled.reserve(owner.organizationId, scheduled);
  }

  /** Like `assertRoom`, for a quote: the messages are checked but not accepted. */
  async tryRoom(owner: { organizationId: string }, scheduled: number): Promise<void> {
    this.backlog.assertRoom(owner.organizationId);
    if (scheduled > 0) await this.scheduled.assertAvailable(owner.organizationId, scheduled);
  }

  /** Accepts a message and returns the balance. Throws INSUFFICIENT_CREDITS and AlreadyClaimedError. */
  async accept(row: AcceptanceRow): Promise<number> {
    const { outcome, balance } = await this.acceptance.accept(row);
    if (outcome === 'repeated') throw new AlreadyClaimedError();
    if (outcome === 'insufficient') throw insufficient('This message costs', row.credits_cost, balance);
    this.accepted.inc();
    if (row.scheduled_at === null) this.relay.wake();
    return balance;
  }

  /**
   * Accepts all messages or none, in one commit, and returns the balance. Only the last row may have a claim. Throws
   * INSUFFICIENT_CREDITS and AlreadyClaimedError.
   */
  async acceptAll(rows: AcceptanceRow[]): Promise<number> {
    const balance = await this.acceptWithin(this.pool, rows);
    this.committed(rows.length);
    return balance;
  }

  /** Like `acceptAll`, within an open transaction. Call `committed` after its commit. */
  async acceptWithin(database: Pool | PoolClient, rows: readonly AcceptanceRow[]): Promise<number> {
    const [first] = rows;
    if (!first) throw new Error('there is no message to accept');
    try {
      const batch = await jsonInTurns(rows.map((row, ord) => ({ ord, ...row })));
      const { rows: results } = await database.query<{ balance: number }>('SELECT sms.accept_all($1) AS balance', [
        batch,
      ]);
      return Number(results[0]?.balance);
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code === REPEATED) throw new AlreadyClaimedError();
      if (code !== INSUFFICIENT) throw error;
      const cost = rows.reduce((sum, row) => sum + row.credits_cost, 0);
      throw insufficient('These messages cost', cost, await balanceOf(this.pool, first.workspace_id, 'sms'));
    }
  }

  /** Accepts the message in a transaction that is rolled back. Throws INSUFFICIENT_CREDITS. */
  async tryAccept(row: AcceptanceRow): Promise<void> {
    const [result] = await rolledBack(this.pool, async (client) => {
      const batch = JSON.stringify([{ ord: 0, ...row }]);
      const { rows } = await client.query<{ outcome: string; balance: string }>('SELECT * FROM sms.accept($1)', [
        batch,
      ]);
      return rows;
    });
    if (result?.outcome === 'posted') return;
    throw insufficient('This message costs', row.credits_cost, Number(result?.balance ?? 0));
  }

  /** The part of `tryAccept` that needs no checked message. Throws INSUFFICIENT_CREDITS. */
  assertCredits(cost: number, balance: number): void {
    if (balance < cost) throw insufficient('This message costs', cost, balance);
  }

  committed(count: number): void {
    this.accepted.inc(count);
    this.relay.wake();
  }
}

function insufficient(what: string, cost: number, balance: number): AppError {
  return new AppError(
    'INSUFFICIENT_CREDITS',
    `${what} ${cost} credits, but the workspace has only ${balance}. Top up the workspace.`,
  );
}
