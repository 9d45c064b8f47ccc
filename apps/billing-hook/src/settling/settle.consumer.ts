import { billingEventReceived } from '@heliograph/contracts';
import { BUS, consumeEvents, type Bus, type Consumption } from '@heliograph/messaging';
import { LOGGER, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';

import type { BillingHookConfig } from '../billing-hook.config';
import { BILLING_HOOK_CONFIG } from '../billing-hook.tokens';
import { EVENTS_QUEUE } from './events-queue';
import { SettleService } from './settle.service';

/** Each concurrent job holds a connection; the remaining connections of the pool serve requests. */
const CONCURRENCY = 4;

/** Consumes stored events. */
@Injectable()
export class SettleConsumer implements OnModuleInit, OnModuleDestroy {
  private consumption: Consumption | null = null;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly pool: Pool,
    private readonly events: SettleService,
    @Inject(BILLING_HOOK_CONFIG) private readonly config: BillingHookConfig,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.config.ROLE === 'api') return;
    this.consumption = await consumeEvents(this.bus, this.pool, this.log, {
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
