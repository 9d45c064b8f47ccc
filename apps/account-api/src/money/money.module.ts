import { Module } from '@nestjs/common';
import { BillingModule } from './billing/billing.module';
import { CreditsModule } from './credits/credits.module';
import { V1CreditsModule } from './v1-credits/v1-credits.module';

/** Credits, purchases and billing. */
@Module({ imports: [CreditsModule, V1CreditsModule, BillingModule] })
export class MoneyModule {}
