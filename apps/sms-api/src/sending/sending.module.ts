import { Module } from '@nestjs/common';
import { CarriersModule } from '../carriers/carriers.module';
import { ReceiptsModule } from '../receipts/receipts.module';
import { SendingMetrics } from './sending-metrics';
import { SubmitService } from './submit.service';
import { SubmitsRepository } from './submits.repository';

@Module({
  imports: [CarriersModule, ReceiptsModule],
  providers: [SubmitsRepository, SubmitService, SendingMetrics],
})
export class SendingModule {}
