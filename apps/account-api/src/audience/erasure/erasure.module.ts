import { Module } from '@nestjs/common';
import { PersonsModule } from '@heliograph/tenancy';
import { WebhooksLibraryModule } from '@heliograph/webhooks';
import { ReportsModule } from '../../insight/reports/reports.module';
import { ErasureConsumer } from './erasure.consumer';
import { ErasuresController } from './erasures.controller';
import { PersonErasureService } from './person-erasure.service';

@Module({
  imports: [PersonsModule, ReportsModule, WebhooksLibraryModule],
  controllers: [ErasuresController],
  providers: [ErasureConsumer, PersonErasureService],
})
export class ErasureModule {}
