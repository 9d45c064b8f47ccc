import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { DomainChecks } from '@heliograph/email-catalog';
import { LOGGER, type Logger } from '@heliograph/platform';
import type { EmailApiSettings } from '../email-api.config';
import { EMAIL_API_SETTINGS } from '../email-api.tokens';

const EVERY_MS = 60_000;

/** Looks every minute which domains are to be looked up again. */
@Injectable()
export class DomainChecksTimer implements OnModuleInit, OnModuleDestroy {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;

  constructor(
    @Inject(DomainChecks) private readonly checks: DomainChecks,
    @Inject(EMAIL_API_SETTINGS) private readonly settings: EmailApiSettings,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onModuleInit(): void {
    if (this.settings.ROLE === 'api') return;
    this.timer = setInterval(() => {
      this.running ??= this.run().finally(() => (this.running = null));
    }, EVERY_MS);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      await this.checks.runDue();
    } catch (error) {
      this.log.error({ err: error }, 'the domains could not be checked');
    }
  }
}
