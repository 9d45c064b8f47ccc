import { Module, type DynamicModule } from '@nestjs/common';
import { TenancyModule } from '@heliograph/tenancy';
import type { BillingHookConfig } from './billing-hook.config';
import { BILLING_HOOK_CONFIG } from './billing-hook.tokens';
import { BillingMetrics } from './billing-metrics';
import { DunningService } from './dunning/dunning.service';
import { DunningSteps } from './dunning/dunning-steps';
import { DunningWorker } from './dunning/dunning-worker';
import { InvoicesService } from './invoices/invoices.service';
import { EventStore } from './receiving/event-store';
import { PaymentsController } from './receiving/payments.controller';
import { ReceiveService } from './receiving/receive.service';
import { ReceiptsConsumer } from './receipts/receipts.consumer';
import { ReceiptsService } from './receipts/receipts.service';
import { PayersRepository } from './settling/payers.repository';
import { SettleConsumer } from './settling/settle.consumer';
import { SettleService } from './settling/settle.service';
import { SubscriptionStateService } from './subscription-state/subscription-state.service';

@Module({})
export class AppModule {
  static forRoot(config: BillingHookConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [TenancyModule],
      controllers: [PaymentsController],
      providers: [
        { provide: BILLING_HOOK_CONFIG, useValue: config },
        EventStore,
        ReceiveService,
        PayersRepository,
        SubscriptionStateService,
        InvoicesService,
        SettleService,
        SettleConsumer,
        ReceiptsService,
        ReceiptsConsumer,
        DunningService,
        DunningSteps,
        DunningWorker,
        BillingMetrics,
      ],
    };
  }
}
