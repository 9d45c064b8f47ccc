import { Module } from '@nestjs/common';
import { EmailCatalogModule } from '@heliograph/email-catalog';
import { AccessModule } from '../../access/access.module';
import { EmailDomainsController } from './domains/domains.controller';
import { EmailDomainsService } from './domains/domains.service';
import { EmailSendersController } from './senders/senders.controller';
import { EmailSendersService } from './senders/senders.service';
import { EmailSuppressionsController } from './suppressions/suppressions.controller';
import { EmailSuppressionsService } from './suppressions/suppressions.service';
import { EmailTemplatesController } from './templates/templates.controller';
import { EmailTemplatesService } from './templates/templates.service';
import { EmailTrackingController } from './tracking/tracking.controller';
import { EmailTrackingService } from './tracking/tracking.service';

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
