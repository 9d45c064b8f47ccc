import { Module } from '@nestjs/common';
import { IdempotencyModule } from '@heliograph/idempotency';
import { SmsCatalogModule } from '@heliograph/sms-catalog';
import { TenancyModule } from '@heliograph/tenancy';
import { Acceptance } from './acceptance';
import { MessagesController } from './messages.controller';
import { MessagesRepository } from './messages.repository';
import { MessagesService } from './messages.service';
import { RetentionService } from './retention.service';
import { SendController } from './send.controller';
import { SendService } from './send.service';

@Module({
  imports: [TenancyModule, IdempotencyModule, SmsCatalogModule],
  controllers: [SendController, MessagesController],
  providers: [Acceptance, SendService, MessagesRepository, MessagesService, RetentionService],
  exports: [SendService],
})
export class MessagesModule {}
