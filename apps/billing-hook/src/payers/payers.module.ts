import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Payer, PaymentFailure, Subscription, ZeroPayment } from '@heliograph/billing';
import { PayersRepository } from './payers.repository';

@Module({
  imports: [TypeOrmModule.forFeature([Payer, PaymentFailure, Subscription, ZeroPayment])],
  providers: [PayersRepository],
  exports: [PayersRepository],
})
export class PayersModule {}
