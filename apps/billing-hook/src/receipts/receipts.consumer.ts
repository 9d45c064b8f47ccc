import { billingReceiptDue } from '@heliograph/contracts';
import { poolOf } from '@heliograph/database';
import { BUS, consumeEvents, type Bus, type Consumption } from '@heliograph/messaging';
import { LOGGER, type Logger } from '@heliograph/platform';
import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BillingHookSettings } from '../billing-hook.config';
import { BILLING_HOOK_SETTINGS } from '../billing-hook.tokens';
import { RECEIPTS_QUEUE } from './receipts-queue';
import { ReceiptsService } from './receipts.service';

const CONCURRENCY = 2;

/** Takes paid invoices from the bus, so that a receipt that cannot be made holds up nothing but itself. */
@Injectable()
export class ReceiptsConsumer implements OnModuleInit, OnModuleDestroy {
  private consumption: Consumption | null = null;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(ReceiptsService) private readonly receipts: ReceiptsService,
    @Inject(BILLING_HOOK_SETTINGS) private readonly settings: BillingHookSettings,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.settings.ROLE === 'api') return;
    this.consumption = await consumeEvents(this.bus, poolOf(this.dataSource), this.log, {
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
