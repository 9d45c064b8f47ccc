import { Module } from '@nestjs/common';
import { EmailCatalogModule } from '@heliograph/email-catalog';
import { IdempotencyModule } from '@heliograph/idempotency';
import { TenancyModule } from '@heliograph/tenancy';
import { SendingModule } from '../sending/sending.module';
import { Acceptance } from './acceptance';
import { CallDelivery } from './call-delivery';
import { MessagesController } from './messages.controller';
import { MessagesRepository } from './messages.repository';
import { MessagesService } from './messages.service';
import { RetentionService } from './retention.service';
import { SendAnswers } from './send-answers';
import { SendController } from './send.controller';
import { SendService } from './send.service';

@Module({
  imports: [TenancyModule, IdempotencyModule, EmailCatalogModule, SendingModule],
  controllers: [SendController, MessagesController],
  providers: [
    Acceptance,
    CallDelivery,
    MessagesRepository,
    MessagesService,
    RetentionService,
    SendAnswers,
    SendService,
  ],
  exports: [Acceptance],
})
export class MessagesModule {}
