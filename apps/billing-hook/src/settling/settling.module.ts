import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProcessorEvent } from '@heliograph/billing';
import { LedgerDrift } from '@heliograph/credits';
import { TenancyModule } from '@heliograph/tenancy';
import { InvoicesModule } from '../invoices/invoices.module';
import { PayersModule } from '../payers/payers.module';
import { PurchasesModule } from '../purchases/purchases.module';
import { SubscriptionStateModule } from '../subscription-state/subscription-state.module';
import { EventRetentionService } from './event-retention.service';
import { SettleService } from './settle.service';
import { SettlingMetrics } from './settling-metrics';

@Module({
  imports: [
    TypeOrmModule.forFeature([ProcessorEvent]),
    TenancyModule,
    PayersModule,
    InvoicesModule,
    PurchasesModule,
    SubscriptionStateModule,
  ],
  providers: [EventRetentionService, LedgerDrift, SettleService, SettlingMetrics],
})
export class SettlingModule {}
