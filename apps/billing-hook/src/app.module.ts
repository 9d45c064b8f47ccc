import { Module } from '@nestjs/common';
import { DunningModule } from './dunning/dunning.module';
import { ReceiptsModule } from './receipts/receipts.module';
import { ReceivingModule } from './receiving/receiving.module';
import { SettlingModule } from './settling/settling.module';

@Module({ imports: [ReceivingModule, SettlingModule, ReceiptsModule, DunningModule] })
export class AppModule {}
