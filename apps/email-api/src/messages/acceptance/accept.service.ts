import { Inject, Injectable } from '@nestjs/common';
import { balanceOf } from '@heliograph/credits';
import { rolledBack } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { AlreadyClaimedError } from '@heliograph/idempotency';
import { OrganizationQuota, type LimitedKind } from '@heliograph/tenancy';
import { Backlog, Relay } from '@heliograph/messaging';
import { CONFIG, jsonInTurns, METRICS } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Counter, type Registry } from 'prom-client';
import type { EntityManager } from 'typeorm';
import type { EmailApiConfig } from '../../email-api.config';
import { Acceptance, type AcceptanceResult, type NewSend } from './acceptance';

const SCHEDULED: LimitedKind = {
  setting: 'LIMITS_EMAIL_SCHEDULED',
  rows: `SELECT FROM email.messages WHERE organization_id = $1 AND scheduled_at > now() AND status = 'scheduled'`,
};
/** Error that `email.accept_all` raises. */
const INSUFFICIENT = 'HG001';

/** The result of one send of a batch. */
export type AcceptedSend = Pick<AcceptanceResult, 'skipped'>;

/** Charges and stores checked sends. */
@Injectable()
export class AcceptService {
  private readonly accepted: Counter;
  private readonly scheduled: OrganizationQuota;

  constructor(
    private readonly acceptance: Acceptance,
    private readonly backlog: Backlog,
    private readonly relay: Relay,
    private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: EmailApiConfig,
    @Inject(METRICS) registry: Registry,
  ) {
    this.scheduled = new OrganizationQuota(pool, SCHEDULED, config.LIMITS_EMAIL_SCHEDULED);
    this.accepted = new Counter({
      name: 'email_accepted_total',
      help: 'Sends accepted and charged',
      registers: [registry],
    });
  }

  /** Throws SERVICE_UNAVAILABLE while too many sends wait, and LIMIT_REACHED for too many scheduled sends. */
  async assertRoom(owner: { organizationId: string }, scheduled: number): Promise<void> {
    this.backlog.assertRoom(owner.organizationId);
    if (scheduled > 0) await this.scheduled.reserve(owner.organizationId, scheduled);
  }

  /** Like `assertRoom`, for a quote: the sends are checked but not accepted. */
  async tryRoom(owner: { organizationId: string }, scheduled: number): Promise<void> {
    this.backlog.assertRoom(owner.organizationId);
    if (scheduled > 0) await this.scheduled.assertAvailable(owner.organizationId, scheduled);
  }

  /** Accepts a send. Throws INSUFFICIENT_CREDITS and AlreadyClaimedError. */
  async accept(send: NewSend): Promise<AcceptanceResult> {
    const result = await this.acceptance.accept(send);
    if (result.outcome === 'repeated') throw new AlreadyClaimedError();
    if (result.outcome === 'insufficient') throw insufficient(result.balance);
    this.accepted.inc();
    if (send.due_at !== null && send.scheduled_at === null) this.relay.wake();
    return result;
  }

  /**
   * Accepts all sends or none in the transaction, and returns their results in order. Call `committed` after the
   * commit. Throws INSUFFICIENT_CREDITS.
   */
  async acceptAll(transaction: EntityManager, sends: NewSend[]): Promise<AcceptedSend[]> {
    const batch = sends.map((send, ord) => ({ ord, ...send, lease_ms: this.config.EMAIL_LEASE_MS }));
    try {
      const rows: AcceptedSend[] = await transaction.query('SELECT skipped FROM email.accept_all($1) ORDER BY ord', [
        await jsonInTurns(batch),
      ]);
      return rows;
    } catch (error) {
      if ((error as { code?: unknown }).code !== INSUFFICIENT) throw error;
      throw insufficient(await balanceOf(this.pool, sends[0]?.workspace_id ?? '', 'email'));
    }
  }

  /** Accepts the send in a transaction that is rolled back, and returns the skipped recipients. Throws INSUFFICIENT_CREDITS. */
  async tryAccept(send: NewSend): Promise<AcceptedSend> {
    const [result] = await rolledBack(this.pool, async (client) => {
      const batch = JSON.stringify([{ ord: 0, ...send, lease_ms: this.config.EMAIL_LEASE_MS }]);
      const { rows } = await client.query<AcceptanceResult>('SELECT * FROM email.accept($1)', [batch]);
      return rows;
    });
    if (result?.outcome !== 'posted') throw insufficient(Number(result?.balance ?? 0));
    return result;
  }

  /** The part of `tryAccept` that needs no checked send. Throws INSUFFICIENT_CREDITS. */
  assertCredits(cost: number, balance: number): void {
    if (balance < cost) throw insufficient(balance);
  }

  /** The number of recipients that a send would be charged for: `recipients` without suppressed and masked ones. */
  async costOf(organizationId: string, recipients: readonly string[], unsubscribeScope: string): Promise<number> {
    const { rows } = await this.pool.query<{ charged: number }>(
      `SELECT count(*)::integer AS charged FROM unnest($2::text[]) AS r (address)
       WHERE r.address NOT LIKE 'erased:%'
         AND NOT EXISTS (SELECT FROM email.suppression_of($1, r.address, $3))`,
      [organizationId, recipients, unsubscribeScope],
    );
    return rows[0]?.charged ?? 0;
  }

  committed(count: number): void {
    this.accepted.inc(count);
    this.relay.wake();
  }
}

function insufficient(balance: number): AppError {
  return new AppError(
    'INSUFFICIENT_CREDITS',
    `A send costs one credit per recipient, but the workspace has only ${balance}. Top up the workspace or reduce the number of recipients.`,
  );
}
