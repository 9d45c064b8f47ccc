import { ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import { AppError } from '@heliograph/errors';
import type { Request } from 'express';

/**
 * One limit per API key over all endpoints of the service. Stands behind the key guard, so a call without a valid
 * key is answered 401 and counted nowhere.
 */
@Injectable()
export class KeyThrottlerGuard extends ThrottlerGuard {
  protected override headerPrefix = 'RateLimit';

  protected override getTracker(request: Request & { principal?: { keyId: string } }): Promise<string> {
    return Promise.resolve(request.principal?.keyId ?? '');
  }

  protected override generateKey(_context: ExecutionContext, tracker: string): string {
    return `rate:${tracker}`;
  }

  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    const { principal } = context.switchToHttp().getRequest<{ principal?: unknown }>();
    return Promise.resolve(principal === undefined || (this.throttlers[0]?.limit ?? 0) === 0);
  }

  protected override throwThrottlingException(_context: ExecutionContext, detail: ThrottlerLimitDetail): Promise<void> {
    return Promise.reject(
      new AppError(
        'RATE_LIMITED',
        `More than ${detail.limit} calls a minute with this key. Wait as long as Retry-After says.`,
        // The base class says Retry-After alone.
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
