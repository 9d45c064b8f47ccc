import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { emailCatalogEntities, EmailCatalogModule } from '@heliograph/email-catalog';
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
import type { AccountApiConfig } from '../account-api.config';

/** Sending domains, senders, templates, tracking and suppressions of an organization. */
@Module({})
export class EmailModule {
  static forRoot(config: AccountApiConfig): DynamicModule {
    return {
      module: EmailModule,
      imports: [TypeOrmModule.forFeature(emailCatalogEntities), EmailCatalogModule.forRoot(config)],
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
    };
  }
}
