import { Module } from '@nestjs/common';
import { ChatappCatalogModule } from '@heliograph/chatapp-catalog';
import { IdempotencyModule } from '@heliograph/idempotency';
import { ConsentsController } from './consents.controller';
import { ConsentsService } from './consents.service';

@Module({
  imports: [ChatappCatalogModule, IdempotencyModule],
  controllers: [ConsentsController],
  providers: [ConsentsService],
})
export class ConsentsModule {}
