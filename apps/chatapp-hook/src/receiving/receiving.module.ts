import { Module } from '@nestjs/common';
import { ChatappCatalogModule } from '@heliograph/chatapp-catalog';
import { ReceiveService } from './receive.service';
import { UpdateMetrics } from './update-metrics';
import { UpdateStore } from './update-store';
import { WebhookController } from './webhook.controller';

@Module({
  imports: [ChatappCatalogModule],
  controllers: [WebhookController],
  providers: [UpdateMetrics, UpdateStore, ReceiveService],
})
export class ReceivingModule {}
