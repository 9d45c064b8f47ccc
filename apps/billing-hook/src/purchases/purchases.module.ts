import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Invoice, Purchase, Refund } from '@heliograph/billing';
import { PurchasesService } from './purchases.service';

/** Applies payments and refunds of purchased credits. */
@Module({
  imports: [TypeOrmModule.forFeature([Purchase, Refund, Invoice])],
  providers: [PurchasesService],
  exports: [PurchasesService],
})
export class PurchasesModule {}
