import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CreditPackage, Purchase } from '@heliograph/billing';
import { TenancyModule } from '@heliograph/tenancy';
import { CreditsModule } from '../credits/credits.module';
import { CheckoutService } from './checkout.service';
import { PurchaseExpiry } from './purchase-expiry';
import { V1PurchasesService } from './purchases.service';
import { V1CreditsController } from './v1-credits.controller';
import { V1CreditsService } from './v1-credits.service';

/** Balances, ledger entries, transfers and purchases of the v1 API. */
@Module({
  imports: [TypeOrmModule.forFeature([Purchase, CreditPackage]), TenancyModule, CreditsModule],
  controllers: [V1CreditsController],
  providers: [V1CreditsService, V1PurchasesService, CheckoutService, PurchaseExpiry],
})
export class V1CreditsModule {}
