import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EmailCatalogModule, EmailTemplate } from '@heliograph/email-catalog';
import { TenancyModule, UnitOfWorkModule } from '@heliograph/tenancy';
import { MessagesModule } from '../messages/messages.module';
import { SendingModule } from '../sending/sending.module';
import { V1BulkService } from './v1-bulk.service';
import { V1CallService } from './v1-call.service';
import { V1MessagesController } from './v1-messages.controller';
import { V1MessagesRepository } from './v1-messages.repository';
import { V1QuoteController } from './v1-quote.controller';
import { V1SendService } from './v1-send.service';
import { V1TemplatesController } from './v1-templates.controller';
import { V1TemplatesService } from './v1-templates.service';

/** The email routes of the v1 API, with the same checks and acceptance as the unversioned API. */
@Module({
  imports: [
    MessagesModule,
    SendingModule,
    EmailCatalogModule,
    TenancyModule,
    UnitOfWorkModule,
    TypeOrmModule.forFeature([EmailTemplate]),
  ],
  controllers: [V1MessagesController, V1QuoteController, V1TemplatesController],
  providers: [V1BulkService, V1CallService, V1MessagesRepository, V1SendService, V1TemplatesService],
  exports: [V1CallService],
})
export class V1Module {}
