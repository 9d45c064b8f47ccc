import { Injectable } from '@nestjs/common';
import { AppError } from '@heliograph/errors';
import { HttpResult, Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { AlreadyClaimedError } from './already-claimed.error';
import { DEFAULT_STATUS } from './claimed-response';
import type { Claim, ClaimName, StreamedClaim } from './claim';

/** 4xx errors that may succeed later. They are not stored, and neither is any 5xx. */
const NOT_KEPT = new Set([401, 402, 403, 409, 429]);

/** Derives the responses of calls that stored a reference to theirs with the claim, instead of the response. */
export interface PendingResponses<T extends object = object> {
  /** The reference in the stored body; undefined if the body is the response. Default: its field `pending` */
  referenceIn?(stored: object): string | object | undefined;
  /**
   * @param reference what was stored with the claim
   * @param claim names the call that has claimed the key
   * @returns the response, derived from what the call has stored; `running` if there is none yet; `undone` if the call
   *   failed and had no lasting effect, which releases the key
   */
  responseOf(reference: string | object, claim: ClaimName): Promise<T | 'running' | 'undone'>;
}

interface StoredResponse {
  fingerprint: string;
  status: number;
  body: object;
}

interface StoredRefusal {
  code: ConstructorParameters<typeof AppError>[0];
  message: string;
  details?: Record<string, unknown>;
}

/** Replays the first response for the same key and request; the work is not repeated. */
@Injectable()
export class IdempotencyService {
  private readonly running = new Map<string, string | null>();

  constructor(private readonly pool: Pool) {}

  /**
   * Does the work of a call once for its key, or returns the response of an earlier call. The work itself commits the claim with
   * its effect; 4xx errors are stored here. Without a claim, nothing is stored. In the work of the same claim, it only does
   * the inner work. Throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS.
   * @param pending required for work that stores a reference to its response with the claim
   */
  async run<T extends object>(
    claim: Claim | StreamedClaim | null,
    work: () => Promise<T>,
    pending?: PendingResponses<T>,
  ): Promise<T> {
    if (!claim || claim.isBegun) return work();
    claim.isBegun = true;
    const name = nameOf(claim);
    const under = this.running.get(name);
    if (under !== undefined) throw under === claim.fingerprint ? inProgress() : keyReused();
    this.running.set(name, claim.fingerprint);
    try {
      const earlier = await this.find(claim);
      if ('isRepeat' in claim) claim.isRepeat = earlier !== null;
      else if (earlier) return await this.replay(claim, earlier, pending);
      const done = await this.workOnce(claim, work);
      if (done !== 'repeated') return done;
      const first = await this.find(claim);
      if (first) return await this.replay(claim, first, pending);
      throw inProgress();
    } finally {
      this.running.delete(name);
    }
  }

  /** Stores an error that refused a call before its work began, such as an invalid body. Returns the error that the call gets. */
  async refuse(claim: Claim | StreamedClaim, error: AppError): Promise<unknown> {
    try {
      await this.run(claim, () => Promise.reject(error));
      return error;
    } catch (thrown) {
      return thrown;
    }
  }

  private async workOnce<T extends object>(
    claim: Claim | StreamedClaim,
    work: () => Promise<T>,
  ): Promise<T | 'repeated'> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AlreadyClaimedError) return 'repeated';
      const isKept = error instanceof AppError && error.status < 500 && !NOT_KEPT.has(error.status);
      if (isKept && claim.fingerprint !== null) {
        await this.pool.query('SELECT idempotency.claim($1, $2, $3, $4, $5, $6)', [
          claim.callerId,
          claim.endpoint,
          claim.key,
          claim.fingerprint,
          error.status,
          JSON.stringify({ code: error.code, message: error.message, details: error.details }),
        ]);
      }
      throw error;
    }
  }

  private async replay<T extends object>(
    claim: Claim | StreamedClaim,
    stored: StoredResponse,
    pending?: PendingResponses<T>,
  ): Promise<T> {
    if (stored.fingerprint !== claim.fingerprint) throw keyReused();
    const { status, body } = stored;
    if (status >= 400) {
      const { code, message, details } = body as StoredRefusal;
      throw new AppError(code, message, { headers: { 'Idempotent-Replayed': 'true' }, details });
    }
    const response = await this.responseFrom(claim, body, pending);
    claim.onReplay();
    // An HttpResult that the service returned.
    return status === DEFAULT_STATUS ? response : (new HttpResult({ status, body: response }) as object as T);
  }

  private async responseFrom<T extends object>(
    claim: Claim | StreamedClaim,
    stored: object,
    responses?: PendingResponses<T>,
  ): Promise<T> {
    if (claim.seal) return claim.seal.open(stored) as T;
    const { pending } = stored as { pending?: string };
    const reference = responses?.referenceIn ? responses.referenceIn(stored) : pending;
    if (!responses || reference === undefined) return stored as T;
    const response = await responses.responseOf(reference, claim);
    if (typeof response === 'object') return response;
    if (response === 'running') throw inProgress();
    if (pending !== undefined) await this.release(claim, pending);
    throw inProgress('The first call with this Idempotency-Key failed and had no effect. Send it again.');
  }

  private async find(claim: ClaimName): Promise<StoredResponse | null> {
    const { rows } = await this.pool.query<StoredResponse>(
      `SELECT fingerprint, status, body FROM idempotency.answers
       WHERE caller_id = $1 AND endpoint = $2 AND key = $3 AND expires_at > now()`,
      [claim.callerId, claim.endpoint, claim.key],
    );
    return rows[0] ?? null;
  }

  /** Stores the response of a call whose claim was committed with `{"pending": id}`. */
  async storeResponse({ callerId, endpoint, key }: ClaimName, response: object): Promise<void> {
    await this.pool.query(
      'UPDATE idempotency.answers SET body = $4 WHERE caller_id = $1 AND endpoint = $2 AND key = $3',
      [callerId, endpoint, key, JSON.stringify(response)],
    );
  }

  /**
   * Releases the key of a call that failed and had no lasting effect: the next call with this key is a first one.
   * @param pending what the call has stored with its claim: the claim of a later call is not touched
   */
  async release({ callerId, endpoint, key }: ClaimName, pending: string): Promise<void> {
    await this.pool.query(
      `DELETE FROM idempotency.answers
       WHERE caller_id = $1 AND endpoint = $2 AND key = $3 AND body ->> 'pending' = $4`,
      [callerId, endpoint, key, pending],
    );
  }

  @Periodic({ everyMs: 10 * 60_000 })
  async deleteExpired(): Promise<void> {
    await this.pool.query(
      `DELETE FROM idempotency.answers WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM idempotency.answers WHERE expires_at < now() LIMIT 10000))`,
    );
  }
}

function nameOf({ callerId, endpoint, key }: ClaimName): string {
  return `${callerId} ${endpoint} ${key}`;
}

function inProgress(
  message = 'The first call with this Idempotency-Key is still running, or has just ended. Try again shortly.',
): AppError {
  return new AppError('IDEMPOTENCY_IN_PROGRESS', message, { retryAfterSeconds: 1 });
}

function keyReused(): AppError {
  return new AppError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used for another request. Use a new key for a new request.',
  );
}
