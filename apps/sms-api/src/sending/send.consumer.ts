import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { smsQueued } from '@heliograph/contracts';
import { BUS, consumeEvents, type Bus, type Consumption } from '@heliograph/messaging';
import { LOGGER, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';

import type { SmsApiSettings } from '../sms-api.config';
import { SMS_API_SETTINGS } from '../sms-api.tokens';
import { SEND_QUEUE } from './send-queue';
import { SubmitService } from './submit.service';

/** Consumes due messages from the bus. */
@Injectable()
export class SendConsumer implements OnModuleInit, OnModuleDestroy {
  private consumption: Consumption | null = null;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly pool: Pool,
    private readonly submits: SubmitService,
    @Inject(SMS_API_SETTINGS) private readonly settings: SmsApiSettings,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.settings.ROLE === 'api') return;
    this.submits.start();
    this.consumption = await consumeEvents(this.bus, this.pool, this.log, {
      queue: SEND_QUEUE,
      contract: smsQueued,
      concurrency: this.settings.SMS_SEND_CONCURRENCY,
      consume: ({ data }) => this.submits.submit(data),
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.consumption?.stop();
    await this.submits.stop();
  }
}
