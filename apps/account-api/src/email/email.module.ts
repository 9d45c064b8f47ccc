import { Module } from '@nestjs/common';
import { EmailCatalogModule } from '@heliograph/email-catalog';
import { AccessModule } from '../access/access.module';
import { EmailDomainsController } from './domains.controller';
import { EmailDomainsService } from './domains.service';
import { EmailSendersController } from './senders.controller';
import { EmailSendersService } from './senders.service';
import { EmailSuppressionsController } from './suppressions.controller';
import { EmailSuppressionsService } from './suppressions.service';
import { EmailTemplatesController } from './templates.controller';
import { EmailTemplatesService } from './templates.service';
import { EmailTrackingController } from './tracking.controller';
import { EmailTrackingService } from './tracking.service';

/** Sending domains, senders, templates, tracking and suppressions of an organization. */
@Module({
  imports: [AccessModule, EmailCatalogModule],
  controllers: [
    EmailDomainsController,
    EmailSendersController,
    EmailTemplatesController,
    EmailSuppressionsController,
    EmailTrackingController,
  ],
  providers: [
    EmailDomainsService,
    EmailSendersService,
    EmailTemplatesService,
    EmailSuppressionsService,
    EmailTrackingService,
  ],
})
export class EmailModule {}
