import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { emailDue } from '@heliograph/contracts';
import { poolOf } from '@heliograph/database';
import { BUS, consumeEvents, TryAgainLater, type Bus, type Consumption } from '@heliograph/messaging';
import { LOGGER, type Logger } from '@heliograph/platform';
import { DataSource } from 'typeorm';
import type { EmailApiSettings } from '../email-api.config';
import { EMAIL_API_SETTINGS } from '../email-api.tokens';
import { AttemptsRepository } from './attempts.repository';
import { DeliveryService } from './delivery.service';
import { DUE_QUEUE } from './due-queue';

/** Takes sends that are due from the bus: scheduled ones, deferred recipients, and what a dead process left. */
@Injectable()
export class DueConsumer implements OnModuleInit, OnModuleDestroy {
  private consumption: Consumption | null = null;
  private readonly stopping = new AbortController();

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(AttemptsRepository) private readonly repository: AttemptsRepository,
    @Inject(DeliveryService) private readonly deliveries: DeliveryService,
    @Inject(EMAIL_API_SETTINGS) private readonly settings: EmailApiSettings,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.settings.ROLE === 'api') return;
    this.consumption = await consumeEvents(this.bus, poolOf(this.dataSource), this.log, {
      queue: DUE_QUEUE,
      contract: emailDue,
      concurrency: this.settings.EMAIL_SEND_CONCURRENCY,
      consume: ({ data }) => this.send(data.messageId),
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.consumption?.stop();
  }

  private async send(messageId: string): Promise<void> {
    const claim = await this.repository.claim(messageId);
    if (claim.outcome === 'over') return;
    if (claim.outcome === 'wait') throw new TryAgainLater(claim.wait_ms + 100, 'another process has the send');
    // Whoever is deferred has a job of their own by the time that all of it is recorded.
    await Promise.all(
      this.deliveries.deliver(claim.sent, claim.recipients, { marks: true, signal: this.stopping.signal }),
    );
  }
}
