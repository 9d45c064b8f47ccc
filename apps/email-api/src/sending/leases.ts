import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger } from '@heliograph/service-kit';
import type { EmailApiSettings } from '../email-api.config';
import { EMAIL_API_SETTINGS } from '../email-api.tokens';
import { AttemptsRepository } from './attempts.repository';

/** Short, so that leases that expired during a database outage are extended before other processes claim the sends. */
const RETRY_MS = 100;

/** Extends the leases of the sends that this process is working on. */
@Injectable()
export class Leases implements OnModuleDestroy {
  private readonly held = new Map<string, number>();
  private timer: NodeJS.Timeout;
  private isFailing = false;
  private stopped = false;

  constructor(
    private readonly repository: AttemptsRepository,
    @Inject(EMAIL_API_SETTINGS) private readonly settings: EmailApiSettings,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    this.timer = this.schedule();
  }

  hold(messageId: string): void {
    this.held.set(messageId, (this.held.get(messageId) ?? 0) + 1);
  }

  release(messageId: string): void {
    const times = (this.held.get(messageId) ?? 1) - 1;
    if (times > 0) this.held.set(messageId, times);
    else this.held.delete(messageId);
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private schedule(): NodeJS.Timeout {
    const timer = setTimeout(
      () => {
        void this.extend().then(() => {
          if (!this.stopped) this.timer = this.schedule();
        });
      },
      this.isFailing ? RETRY_MS : this.settings.EMAIL_LEASE_MS / 3,
    );
    return timer.unref();
  }

  private async extend(): Promise<void> {
    if (this.held.size === 0) {
      this.isFailing = false;
      return;
    }
    try {
      await this.repository.extendLeases([...this.held.keys()]);
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.log.warn({ err: error }, 'failed to extend the leases of sends');
      this.isFailing = true;
    }
  }
}
