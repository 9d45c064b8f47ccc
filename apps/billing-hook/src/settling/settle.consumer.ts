import { billingEventReceived } from '@heliograph/contracts';
import { poolOf } from '@heliograph/database';
import { BUS, consumeEvents, type Bus, type Consumption } from '@heliograph/messaging';
import { LOGGER, type Logger } from '@heliograph/platform';
import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BillingHookSettings } from '../billing-hook.config';
import { BILLING_HOOK_SETTINGS } from '../billing-hook.tokens';
import { EVENTS_QUEUE } from './events-queue';
import { SettleService } from './settle.service';

/** Each holds a connection; the others of the pool are for those who receive. */
const CONCURRENCY = 4;

/** Takes stored events from the bus. */
@Injectable()
export class SettleConsumer implements OnModuleInit, OnModuleDestroy {
  private consumption: Consumption | null = null;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(SettleService) private readonly events: SettleService,
    @Inject(BILLING_HOOK_SETTINGS) private readonly settings: BillingHookSettings,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.settings.ROLE === 'api') return;
    this.consumption = await consumeEvents(this.bus, poolOf(this.dataSource), this.log, {
      queue: EVENTS_QUEUE,
      contract: billingEventReceived,
      concurrency: CONCURRENCY,
      consume: ({ data }) => this.events.settle(data.eventId),
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.consumption?.stop();
  }
}
