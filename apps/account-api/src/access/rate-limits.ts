import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@heliograph/errors';
import { LIMITER, type LimiterStorage } from '@heliograph/platform';
import type { Response } from 'express';
import { ACCOUNT_API_SETTINGS, type AccountApiSettings } from '../account-api.config';
import type { Limit } from './access.decorators';

const MINUTE_MS = 60_000;

/** Counts calls, over all replicas, and says on every answer how many are left. */
@Injectable()
export class RateLimits {
  private readonly perMinute: Record<Limit, number>;

  constructor(
    @Inject(LIMITER) private readonly limiter: LimiterStorage,
    @Inject(ACCOUNT_API_SETTINGS) settings: AccountApiSettings,
  ) {
    const { ACCOUNT_AUTH_RATE_PER_MINUTE: auth, ACCOUNT_RATE_PER_MINUTE: account } = settings;
    this.perMinute = { auth, account, stranger: auth };
  }

  /** Throws RATE_LIMITED. `who` is an address, a key or a session. */
  async count(limit: Limit, who: string, response: Response): Promise<void> {
    const most = this.perMinute[limit];
    if (most === 0) return;
    const counted = await this.limiter.increment(`${limit}:${who}`, MINUTE_MS, most, MINUTE_MS, 'account-api');
    response.set({
      'RateLimit-Limit': String(most),
      'RateLimit-Remaining': String(Math.max(0, most - counted.totalHits)),
      'RateLimit-Reset': String(counted.isBlocked ? counted.timeToBlockExpire : counted.timeToExpire),
    });
    if (!counted.isBlocked) return;
    throw new AppError('RATE_LIMITED', `More than ${most} calls a minute. Wait as long as Retry-After says.`, {
      retryAfterSeconds: Math.max(1, counted.timeToBlockExpire),
    });
  }
}
