import { Module } from '@nestjs/common';
import { EmailCatalogModule } from '@heliograph/email-catalog';
import { IdempotencyModule } from '@heliograph/idempotency';
import { PersonsModule, TenancyModule } from '@heliograph/tenancy';
import { SendingModule } from '../sending/sending.module';
import { AcceptService } from './acceptance/accept.service';
import { Acceptance } from './acceptance/acceptance';
import { CallDelivery } from './call-delivery';
import { MessagesController } from './messages.controller';
import { MessagesRepository } from './messages.repository';
import { MessagesService } from './messages.service';
import { RetentionService } from './retention.service';
import { SendResponses } from './send-responses';
import { SendChecks } from './checks/send-checks';
import { SendController } from './send.controller';
import { SendService } from './send.service';

@Module({
  imports: [PersonsModule, TenancyModule, IdempotencyModule, EmailCatalogModule, SendingModule],
  controllers: [SendController, MessagesController],
  providers: [
    AcceptService,
    Acceptance,
    CallDelivery,
    MessagesRepository,
    MessagesService,
    RetentionService,
    SendResponses,
    SendChecks,
    SendService,
  ],
  exports: [AcceptService, Acceptance, SendChecks],
})
export class MessagesModule {}
