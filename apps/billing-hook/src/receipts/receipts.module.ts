import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Invoice, StoredReceipt } from '@heliograph/billing';
import { TenancyModule } from '@heliograph/tenancy';
import { ReceiptsService } from './receipts.service';

@Module({ imports: [TypeOrmModule.forFeature([Invoice, StoredReceipt]), TenancyModule], providers: [ReceiptsService] })
export class ReceiptsModule {}
