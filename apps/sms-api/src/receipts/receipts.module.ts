import { Module } from '@nestjs/common';
import { CarriersModule } from '../carriers/carriers.module';
import { ReceiptsService } from './receipts.service';
import { UnconvertedReceiptsService } from './unconverted-receipts.service';
import { UnmatchedReceiptsService } from './unmatched-receipts.service';

@Module({
  imports: [CarriersModule],
  providers: [ReceiptsService, UnconvertedReceiptsService, UnmatchedReceiptsService],
  exports: [ReceiptsService],
})
export class ReceiptsModule {}
