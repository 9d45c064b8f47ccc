import { Module } from '@nestjs/common';
import { TenancyModule } from '@heliograph/tenancy';
import { DunningModule } from '../dunning/dunning.module';
import { PayersModule } from '../payers/payers.module';
import { SubscriptionStateService } from './subscription-state.service';

@Module({
  imports: [TenancyModule, PayersModule, DunningModule],
  providers: [SubscriptionStateService],
  exports: [SubscriptionStateService],
})
export class SubscriptionStateModule {}
