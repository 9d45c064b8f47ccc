import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { DomainChecks } from '@heliograph/email-catalog';
import { LOGGER, type Logger } from '@heliograph/service-kit';
import type { EmailApiSettings } from '../email-api.config';
import { EMAIL_API_SETTINGS } from '../email-api.tokens';

const INTERVAL_MS = 60_000;

/** Runs the due DNS checks of domains every minute. */
@Injectable()
export class DomainChecksTimer implements OnModuleInit, OnModuleDestroy {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;

  constructor(
    private readonly checks: DomainChecks,
    @Inject(EMAIL_API_SETTINGS) private readonly settings: EmailApiSettings,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onModuleInit(): void {
    if (this.settings.ROLE === 'api') return;
    this.timer = setInterval(() => {
      this.running ??= this.run().finally(() => (this.running = null));
    }, INTERVAL_MS);
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
      this.log.error({ err: error }, 'domain checks failed');
    }
  }
}
