import { Inject, Injectable, OnApplicationShutdown } from '@nestjs/common';
import { poolOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { DataSource } from 'typeorm';

const KEPT_HOURS = 24;
const CLEAN_EVERY_MS = 10 * 60_000;
/** 4xx that can heal by themselves are tried anew; so is every 5xx. */
const NOT_KEPT = new Set([401, 402, 403, 409, 429]);

/** Which call an Idempotency-Key names. */
export interface IdempotentCall {
  /** The API key, or the user, that calls. */
  callerId: string;
  /** One name for all paths of the same endpoint. */
  endpoint: string;
  key: string;
  fingerprint: string;
}

/**
 * What the work stores together with its effect, so that the effect and the answer that a repeat gets are committed
 * as one. `repeated` from the work means that another process was first.
 */
export type ClaimedWork<T extends object> = (call: IdempotentCall | null) => Promise<T | 'repeated'>;

export interface Answer<T> {
  body: T;
  replayed: boolean;
}

interface StoredAnswer {
  fingerprint: string;
  status: number;
  body: object;
}

/** The same key and request get the first answer again; nothing happens twice. */
@Injectable()
export class IdempotencyService implements OnApplicationShutdown {
  private readonly running = new Map<string, string>();
  private readonly timer: NodeJS.Timeout;

  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {
    this.timer = setInterval(() => void this.clean(), CLEAN_EVERY_MS);
    this.timer.unref();
  }

  /**
   * Runs `work` once per call. Without a call there is nothing to remember. The work commits its answer to
   * `idempotency.answers` itself; refusals (4xx) are stored here. Throws IDEMPOTENCY_KEY_REUSED,
   * IDEMPOTENCY_IN_PROGRESS. `recall` makes the first answer of what was stored, where that is not the answer itself.
   */
  async run<T extends object>(
    call: IdempotentCall | null,
    work: ClaimedWork<T>,
    recall: (stored: object) => T | Promise<T> = (stored) => stored as T,
  ): Promise<Answer<T>> {
    if (!call) return { body: (await work(null)) as T, replayed: false };
    const name = `${call.callerId} ${call.endpoint} ${call.key}`;
    const under = this.running.get(name);
    if (under !== undefined) {
      if (under !== call.fingerprint) throw keyReused();
      throw new AppError(
        'IDEMPOTENCY_IN_PROGRESS',
        'The first call with this Idempotency-Key is still running. Try again shortly.',
        {
          retryAfterSeconds: 1,
        },
      );
    }
    this.running.set(name, call.fingerprint);
    try {
      const earlier = await this.find(call);
      if (earlier) return await this.replay(call, earlier, recall);
      const done = await this.work(call, work);
      if (done !== 'repeated') return { body: done, replayed: false };
      const first = await this.find(call);
      if (first) return await this.replay(call, first, recall);
      throw new AppError(
        'IDEMPOTENCY_IN_PROGRESS',
        'The first call with this Idempotency-Key has just ended. Try again.',
        {
          retryAfterSeconds: 1,
        },
      );
    } finally {
      this.running.delete(name);
    }
  }

  private async work<T extends object>(call: IdempotentCall, work: ClaimedWork<T>): Promise<T | 'repeated'> {
    try {
      return await work(call);
    } catch (error) {
      if (error instanceof AppError && error.status < 500 && !NOT_KEPT.has(error.status)) {
        await poolOf(this.dataSource).query(
          `INSERT INTO idempotency.answers (caller_id, endpoint, key, fingerprint, status, body, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, now() + interval '${KEPT_HOURS} hours')
           ON CONFLICT (caller_id, endpoint, key) DO UPDATE
           SET fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body, expires_at = excluded.expires_at
           WHERE answers.expires_at <= now()`,
          [
            call.callerId,
            call.endpoint,
            call.key,
            call.fingerprint,
            error.status,
            JSON.stringify({ code: error.code, message: error.message }),
          ],
        );
      }
      throw error;
    }
  }

  private async replay<T>(
    call: IdempotentCall,
    stored: StoredAnswer,
    recall: (stored: object) => T | Promise<T>,
  ): Promise<Answer<T>> {
    if (stored.fingerprint !== call.fingerprint) throw keyReused();
    if (stored.status < 400) return { body: await recall(stored.body), replayed: true };
    const { code, message } = stored.body as { code: ConstructorParameters<typeof AppError>[0]; message: string };
    throw new AppError(code, message, { headers: { 'Idempotent-Replayed': 'true' } });
  }

  private async find(call: IdempotentCall): Promise<StoredAnswer | null> {
    const { rows } = await poolOf(this.dataSource).query<StoredAnswer>(
      `SELECT fingerprint, status, body FROM idempotency.answers
       WHERE caller_id = $1 AND endpoint = $2 AND key = $3 AND expires_at > now()`,
      [call.callerId, call.endpoint, call.key],
    );
    return rows[0] ?? null;
  }

  /** Stores the answer of a call that claimed its key with something else, because the answer was not known then. */
  async complete({ callerId, endpoint, key }: IdempotentCall, answer: object): Promise<void> {
    await poolOf(this.dataSource).query(
      'UPDATE idempotency.answers SET body = $4 WHERE caller_id = $1 AND endpoint = $2 AND key = $3',
      [callerId, endpoint, key, JSON.stringify(answer)],
    );
  }

  /** Gives a key back whose call had no lasting effect: the next call with it is a first one again. */
  async forget({ callerId, endpoint, key }: IdempotentCall): Promise<void> {
    await poolOf(this.dataSource).query(
      'DELETE FROM idempotency.answers WHERE caller_id = $1 AND endpoint = $2 AND key = $3',
      [callerId, endpoint, key],
    );
  }

  private async clean(): Promise<void> {
    try {
      await poolOf(this.dataSource).query(
        `DELETE FROM idempotency.answers WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM idempotency.answers WHERE expires_at < now() LIMIT 10000))`,
      );
    } catch {
      // The next round cleans up.
    }
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }
}

function keyReused(): AppError {
  return new AppError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used for another request. Use a new key for a new request.',
  );
}
