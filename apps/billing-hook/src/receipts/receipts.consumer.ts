import { billingReceiptDue } from '@heliograph/contracts';
import { BUS, consumeEvents, type Bus, type Consumption } from '@heliograph/messaging';
import { LOGGER, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';

import type { BillingHookConfig } from '../billing-hook.config';
import { BILLING_HOOK_CONFIG } from '../billing-hook.tokens';
import { RECEIPTS_QUEUE } from './receipts-queue';
import { ReceiptsService } from './receipts.service';

const CONCURRENCY = 2;

/** Consumes paid invoices from a separate queue, so that a failing receipt does not block other work. */
@Injectable()
export class ReceiptsConsumer implements OnModuleInit, OnModuleDestroy {
  private consumption: Consumption | null = null;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly pool: Pool,
    private readonly receipts: ReceiptsService,
    @Inject(BILLING_HOOK_CONFIG) private readonly config: BillingHookConfig,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.config.ROLE === 'api') return;
    this.consumption = await consumeEvents(this.bus, this.pool, this.log, {
      queue: RECEIPTS_QUEUE,
      contract: billingReceiptDue,
      concurrency: CONCURRENCY,
      consume: ({ organizationId, correlationId, data }) =>
        this.receipts.issue(organizationId, data.workspaceId, data.invoiceId, correlationId),
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.consumption?.stop();
  }
}
