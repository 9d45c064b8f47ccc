import { Module } from '@nestjs/common';
import { IdempotencyModule } from '@heliograph/idempotency';
import { SmsCatalogModule } from '@heliograph/sms-catalog';
import { PersonsModule, TenancyModule } from '@heliograph/tenancy';
import { AcceptService } from './accept.service';
import { Acceptance } from './acceptance';
import { MessageChecks } from './message-checks';
import { MessagesController } from './messages.controller';
import { MessagesRepository } from './messages.repository';
import { MessagesService } from './messages.service';
import { RetentionService } from './retention.service';
import { SendController } from './send.controller';
import { SendService } from './send.service';

@Module({
  imports: [PersonsModule, TenancyModule, IdempotencyModule, SmsCatalogModule],
  controllers: [SendController, MessagesController],
  providers: [
    Acceptance,
    AcceptService,
    MessageChecks,
    SendService,
    MessagesRepository,
    MessagesService,
    RetentionService,
  ],
  exports: [AcceptService, MessageChecks, MessagesRepository, SendService],
})
export class MessagesModule {}
