import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Invoice } from '@heliograph/billing';
import { InvoicesService } from './invoices.service';

@Module({ imports: [TypeOrmModule.forFeature([Invoice])], providers: [InvoicesService], exports: [InvoicesService] })
export class InvoicesModule {}
