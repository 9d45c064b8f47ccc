import { Module } from '@nestjs/common';
import { CarriersModule } from '../carriers/carriers.module';
import { PartialDeliveriesService } from './partial-deliveries.service';
import { ReceiptLag } from './receipt-lag';
import { ReceiptsService } from './receipts.service';
import { UnconvertedReceiptsService } from './unconverted-receipts.service';
import { UnmatchedReceiptsService } from './unmatched-receipts.service';

@Module({
  imports: [CarriersModule],
  providers: [
    ReceiptLag,
    ReceiptsService,
    PartialDeliveriesService,
    UnconvertedReceiptsService,
    UnmatchedReceiptsService,
  ],
  exports: [ReceiptLag, ReceiptsService],
})
export class ReceiptsModule {}
