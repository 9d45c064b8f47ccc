import { Module } from '@nestjs/common';
import { BillingRecords, billingEntities } from '@heliograph/billing';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingController } from './billing.controller';
import { BillingService } from './billing.service';

@Module({
  imports: [TypeOrmModule.forFeature(billingEntities)],
  controllers: [BillingController],
  providers: [BillingService, BillingRecords],
})
export class BillingModule {}
