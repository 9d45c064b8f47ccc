import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Dispute, FrozenCredits, Invoice, Purchase, Refund } from '@heliograph/billing';
import { ClaimsService } from './claims.service';
import { PurchasesService } from './purchases.service';

/** Applies payments, refunds and disputes of purchased credits. */
@Module({
  imports: [TypeOrmModule.forFeature([Purchase, Refund, Dispute, FrozenCredits, Invoice])],
  providers: [PurchasesService, ClaimsService],
  exports: [PurchasesService],
})
export class PurchasesModule {}
