import { Injectable } from '@nestjs/common';
import { AppError } from '@heliograph/errors';
import { HttpResult, Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { AlreadyClaimedError } from './already-claimed.error';
import { DEFAULT_STATUS } from './claimed-answer';
import type { IdempotentCall, StreamedCall } from './idempotent-call';

/** 4xx errors that may succeed later. They are not stored, and neither is any 5xx. */
const NOT_KEPT = new Set([401, 402, 403, 409, 429]);

/**
 * The result of the work. The effect and the stored answer are committed together. `repeated` means that another
 * process was first.
 */
export type ClaimedWork<T extends object, C = IdempotentCall> = (call: C | null) => Promise<T | 'repeated'>;

export interface Answer<T> {
  body: T;
  replayed: boolean;
}

/** Derives the answers of calls that stored a reference to theirs with the claim, instead of the answer. */
export interface PendingAnswers<T extends object = object> {
  /** The reference in the stored body; undefined if the body is the answer. Default: its field `pending` */
  referenceIn?(stored: object): string | object | undefined;
  /**
   * @param reference what was stored with the claim
   * @param call the call that has claimed the key
   * @returns the answer, derived from what the call has stored; `running` if there is none yet; `undone` if the call
   *   failed and had no lasting effect, which releases the key
   */
  answerOf(reference: string | object, call: CallName): Promise<T | 'running' | 'undone'>;
}

type CallName = Omit<IdempotentCall, 'fingerprint'>;

interface StoredAnswer {
  fingerprint: string;
  status: number;
  body: object;
}

interface StoredRefusal {
  code: ConstructorParameters<typeof AppError>[0];
  message: string;
  details?: Record<string, unknown>;
}

/** Replays the first answer for the same key and request; the work is not repeated. */
@Injectable()
export class IdempotencyService {
  private readonly running = new Map<string, string | null>();

  constructor(private readonly pool: Pool) {}

  /**
   * Runs `work` once per call. Without a call, nothing is stored. The work itself commits its answer to
   * `idempotency.answers`; 4xx errors are stored here. Throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS.
   * `pending` is required for work that stores `{"pending": id}` with its claim.
   */
  async run<T extends object, C extends IdempotentCall | StreamedCall = IdempotentCall>(
    call: C | null,
    work: ClaimedWork<T, C>,
    pending?: PendingAnswers<T>,
  ): Promise<Answer<T>> {
    if (!call) return { body: (await work(null)) as T, replayed: false };
    const name = nameOf(call);
    const under = this.running.get(name);
    if (under !== undefined) throw under === call.fingerprint ? inProgress() : keyReused();
    this.running.set(name, call.fingerprint);
    try {
      const earlier = await this.find(call);
      if ('isRepeat' in call) call.isRepeat = earlier !== null;
      else if (earlier) return await this.replay(call, earlier, pending);
      const done = await this.work(call, () => work(call));
      if (done !== 'repeated') return { body: done, replayed: false };
      const first = await this.find(call);
      if (first) return await this.replay(call, first, pending);
      throw inProgress();
    } finally {
      this.running.delete(name);
    }
  }

  private async work<T extends object>(
    call: IdempotentCall | StreamedCall,
    work: () => Promise<T | 'repeated'>,
  ): Promise<T | 'repeated'> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AlreadyClaimedError) return 'repeated';
      const isKept = error instanceof AppError && error.status < 500 && !NOT_KEPT.has(error.status);
      if (isKept && call.fingerprint !== null) {
        await this.pool.query('SELECT idempotency.claim($1, $2, $3, $4, $5, $6)', [
          call.callerId,
          call.endpoint,
          call.key,
          call.fingerprint,
          error.status,
          JSON.stringify({ code: error.code, message: error.message, details: error.details }),
        ]);
      }
      throw error;
    }
  }

  private async replay<T extends object>(
    call: IdempotentCall | StreamedCall,
    stored: StoredAnswer,
    pending?: PendingAnswers<T>,
  ): Promise<Answer<T>> {
    if (stored.fingerprint !== call.fingerprint) throw keyReused();
    if (stored.status < 400) {
      const { status } = stored;
      const answer = await this.answerFrom(call, stored.body, pending);
      // An HttpResult that the controller returned.
      const body = status === DEFAULT_STATUS ? answer : (new HttpResult({ status, body: answer }) as object as T);
      return { body, replayed: true };
    }
    const { code, message, details } = stored.body as StoredRefusal;
    throw new AppError(code, message, { headers: { 'Idempotent-Replayed': 'true' }, details });
  }

  private async answerFrom<T extends object>(
    call: IdempotentCall | StreamedCall,
    stored: object,
    answers?: PendingAnswers<T>,
  ): Promise<T> {
    if (call.seal) return call.seal.open(stored) as T;
    const { pending } = stored as { pending?: string };
    const reference = answers?.referenceIn ? answers.referenceIn(stored) : pending;
    if (!answers || reference === undefined) return stored as T;
    const answer = await answers.answerOf(reference, call);
    if (typeof answer === 'object') return answer;
    if (answer === 'running') throw inProgress();
    if (pending !== undefined) await this.release(call, pending);
    throw inProgress('The first call with this Idempotency-Key failed and had no effect. Send it again.');
  }

  private async find(call: CallName): Promise<StoredAnswer | null> {
    const { rows } = await this.pool.query<StoredAnswer>(
      `SELECT fingerprint, status, body FROM idempotency.answers
       WHERE caller_id = $1 AND endpoint = $2 AND key = $3 AND expires_at > now()`,
      [call.callerId, call.endpoint, call.key],
    );
    return rows[0] ?? null;
  }

  /** Stores the answer of a call whose claim was committed with `{"pending": id}`. */
  async storeAnswer({ callerId, endpoint, key }: IdempotentCall, answer: object): Promise<void> {
    await this.pool.query(
      'UPDATE idempotency.answers SET body = $4 WHERE caller_id = $1 AND endpoint = $2 AND key = $3',
      [callerId, endpoint, key, JSON.stringify(answer)],
    );
  }

  /**
   * Releases the key of a call that failed and had no lasting effect: the next call with this key is a first one.
   * @param pending what the call has stored with its claim: the claim of a later call is not touched
   */
  async release({ callerId, endpoint, key }: CallName, pending: string): Promise<void> {
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

function nameOf({ callerId, endpoint, key }: CallName): string {
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
