import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { emailDue } from '@heliograph/contracts';
import { BUS, consumeEvents, TryAgainLater, type Bus, type Consumption } from '@heliograph/messaging';
import { LOGGER, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';

import type { EmailApiSettings } from '../email-api.config';
import { EMAIL_API_SETTINGS } from '../email-api.tokens';
import { AttemptsRepository } from './attempts.repository';
import { DeliveryService } from './delivery.service';
import { DUE_QUEUE } from './due-queue';

/** Consumes due sends from the bus: scheduled sends, retries, and sends of crashed processes. */
@Injectable()
export class DueConsumer implements OnModuleInit, OnModuleDestroy {
  private consumption: Consumption | null = null;
  private readonly stopping = new AbortController();

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly pool: Pool,
    private readonly repository: AttemptsRepository,
    private readonly deliveries: DeliveryService,
    @Inject(EMAIL_API_SETTINGS) private readonly settings: EmailApiSettings,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.settings.ROLE === 'api') return;
    this.consumption = await consumeEvents(this.bus, this.pool, this.log, {
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
    if (claim.outcome === 'wait')
      throw new TryAgainLater(claim.wait_ms + 100, 'another process holds the lease of the send');
    // Recording a deferred recipient creates a new job for it.
    await Promise.all(
      this.deliveries.deliver(claim.sent, claim.recipients, { marks: true, signal: this.stopping.signal }),
    );
  }
}
