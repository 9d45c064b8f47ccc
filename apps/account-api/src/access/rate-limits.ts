import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@heliograph/errors';
import { CONFIG, LIMITER, type LimiterStorage } from '@heliograph/service-kit';
import type { Response } from 'express';
import type { AccountApiConfig } from '../account-api.config';
import type { Limit } from './access.decorators';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The configured limits; 0 for none. */
export function callsPerMinute(config: AccountApiConfig): Record<Limit, number> {
  const {
    ACCOUNT_AUTH_RATE_PER_MINUTE: auth,
    ACCOUNT_RATE_PER_MINUTE: account,
    MESSAGING_RATE_PER_MINUTE: v1,
  } = config;
  return { auth, account, credentials: auth, v1 };
}

/** Counts requests across all replicas and sets the rate limit headers of each response. */
@Injectable()
export class RateLimits {
  private readonly perMinute: Record<Limit, number>;
  private readonly emailDomainsPerHour: number;

  constructor(
    @Inject(LIMITER) private readonly limiter: LimiterStorage,
    @Inject(CONFIG) config: AccountApiConfig,
  ) {
    this.perMinute = callsPerMinute(config);
    this.emailDomainsPerHour = config.LIMITS_EMAIL_DOMAINS_PER_HOUR;
  }

  /** Throws RATE_LIMITED. `who` identifies an address, an API key or a session. */
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
    throw new AppError(
      'RATE_LIMITED',
      `Rate limit of ${most} requests per minute exceeded. Try again after the seconds in the Retry-After header.`,
      {
        retryAfterSeconds: Math.max(1, counted.timeToBlockExpire),
      },
    );
  }

  /** Counts a new email domain of an organization. Throws RATE_LIMITED. */
  async countEmailDomain(organizationId: string): Promise<void> {
    const most = this.emailDomainsPerHour;
    if (most === 0) return;
    const who = `email-domains:${organizationId}`;
    const counted = await this.limiter.increment(who, HOUR_MS, most, HOUR_MS, 'account-api');
    if (!counted.isBlocked) return;
    throw new AppError(
      'RATE_LIMITED',
      `An organization can add at most ${most} email domains per hour. Try again after the seconds in the Retry-After header.`,
      {
        retryAfterSeconds: Math.max(1, counted.timeToBlockExpire),
      },
    );
  }
}
