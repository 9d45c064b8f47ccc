import { Module } from '@nestjs/common';
import { ReceiptsService } from './receipts.service';
import { UnmatchedReceiptsService } from './unmatched-receipts.service';

@Module({ providers: [ReceiptsService, UnmatchedReceiptsService], exports: [ReceiptsService] })
export class ReceiptsModule {}
