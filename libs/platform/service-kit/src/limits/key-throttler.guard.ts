import { ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import { AppError } from '@heliograph/errors';
import type { IdentifiedRequest } from '../http/request.decorators';

const UNLIMITED = Promise.resolve(true);

/**
 * One rate limit per API key or user over all endpoints of the service. It runs after the key guard, so that calls without a
 * valid key get 401 and are not counted.
 */
@Injectable()
export class KeyThrottlerGuard extends ThrottlerGuard {
  protected override headerPrefix = 'RateLimit';

  protected override getTracker(request: IdentifiedRequest): Promise<string> {
    return Promise.resolve(request.callerId ?? '');
  }

  protected override generateKey(_context: ExecutionContext, tracker: string): string {
    return `rate:${tracker}`;
  }

  /** Calls without a principal take none of the asynchronous steps of the base class. */
  override canActivate(context: ExecutionContext): Promise<boolean> {
    const { principal } = context.switchToHttp().getRequest<{ principal?: unknown }>();
    const isUnlimited = principal === undefined || (this.throttlers[0]?.limit ?? 0) === 0;
    return isUnlimited ? UNLIMITED : super.canActivate(context);
  }

  protected override throwThrottlingException(_context: ExecutionContext, detail: ThrottlerLimitDetail): Promise<void> {
    return Promise.reject(
      new AppError(
        'RATE_LIMITED',
        `More than ${detail.limit} calls a minute with this key or by this user. Try again after the seconds in the Retry-After header.`,
        // The base class sets only Retry-After.
        {
          headers: {
            'RateLimit-Limit': String(detail.limit),
            'RateLimit-Remaining': '0',
            'RateLimit-Reset': String(detail.timeToBlockExpire),
          },
        },
      ),
    );
  }
}
