import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SmsCatalogModule, Template } from '@heliograph/sms-catalog';
import { TenancyModule, UnitOfWorkModule } from '@heliograph/tenancy';
import { MessagesModule } from '../messages/messages.module';
import { V1BulkService } from './v1-bulk.service';
import { V1ContentService } from './v1-content.service';
import { V1MessagesController } from './v1-messages.controller';
import { V1MessagesRepository } from './v1-messages.repository';
import { V1QuoteController } from './v1-quote.controller';
import { V1SendService } from './v1-send.service';
import { V1TemplatesController } from './v1-templates.controller';
import { V1TemplatesService } from './v1-templates.service';

/** The SMS routes of the v1 API, with the same checks and acceptance as the unversioned API. */
@Module({
  imports: [MessagesModule, SmsCatalogModule, TenancyModule, UnitOfWorkModule, TypeOrmModule.forFeature([Template])],
  controllers: [V1MessagesController, V1QuoteController, V1TemplatesController],
  providers: [V1BulkService, V1ContentService, V1MessagesRepository, V1SendService, V1TemplatesService],
  exports: [V1ContentService],
})
export class V1Module {}
