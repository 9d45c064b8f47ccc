import { Inject, Injectable } from '@nestjs/common';
import { retryWhileUnavailable } from '@heliograph/database';
import { LOGGER, Periodic, type Logger } from '@heliograph/service-kit';
import type { EmailApiConfig } from '../email-api.config';
import { AttemptsRepository } from './attempts.repository';

/** Short, so that leases that expired during a database outage are extended before other processes claim the sends. */
const RETRY_MS = 100;

/** Extends the leases of the sends that this process is working on. */
@Injectable()
export class Leases {
  private readonly held = new Map<string, number>();

  constructor(
    private readonly repository: AttemptsRepository,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  hold(messageId: string): void {
    this.held.set(messageId, (this.held.get(messageId) ?? 0) + 1);
  }

  release(messageId: string): void {
    const times = (this.held.get(messageId) ?? 1) - 1;
    if (times > 0) this.held.set(messageId, times);
    else this.held.delete(messageId);
  }

  @Periodic({ everyMs: ({ EMAIL_LEASE_MS }: EmailApiConfig) => EMAIL_LEASE_MS / 3 })
  async extend(signal: AbortSignal): Promise<void> {
    if (this.held.size === 0) return;
    await retryWhileUnavailable(() => this.repository.extendLeases([...this.held.keys()]), {
      delayMs: RETRY_MS,
      signal,
      onRetry: (error, attempt) => {
        if (attempt === 1) this.log.warn({ err: error }, 'failed to extend the leases of sends; retrying');
      },
    });
  }
}
