import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { KeysModule } from '@heliograph/auth';
import { BotCatalogModule } from '@heliograph/bot-catalog';
import { ChatappCatalogModule } from '@heliograph/chatapp-catalog';
import { EmailCatalogModule } from '@heliograph/email-catalog';
import { IdempotencyModule } from '@heliograph/idempotency';
import { TenancyModule } from '@heliograph/tenancy';
import { SmsCatalogModule } from '@heliograph/sms-catalog';
import { UsersModule } from '@heliograph/users';
import { AccessGuard } from './access/access.guard';
import { Authenticator } from './access/authenticator';
import { RateLimits } from './access/rate-limits';
import { ACCOUNT_API_CONFIG, type AccountApiConfig } from './account-api.config';
import { ApiKeysController } from './api-keys/api-keys.controller';
import { KeyManagementService } from './api-keys/key-management.service';
import { AuthController } from './auth/auth.controller';
import { BillingController } from './billing/billing.controller';
import { botControllers, botProviders } from './bots/bots';
import { chatappControllers, chatappProviders } from './chatapp/chatapp';
import { CreditsController } from './credits/credits.controller';
import { CreditsService } from './credits/credits.service';
import { emailControllers, emailProviders } from './email/email';
import { OrganizationsController } from './platform/organizations.controller';
import { OrganizationsService } from './platform/organizations.service';
import { ReviewsController } from './platform/reviews.controller';
import { ReviewsService } from './platform/reviews.service';
import { OnboardingsController } from './sms/onboardings.controller';
import { RegistrationsService } from './sms/registrations.service';
import { SendersController } from './sms/senders.controller';
import { TemplatesController } from './sms/templates.controller';
import { EnvelopeInterceptor } from './http/envelope';
import { peopleControllers, peopleProviders } from './people';
import { WorkspacesController } from './workspaces/workspaces.controller';
import { WorkspacesService } from './workspaces/workspaces.service';
import { UnitOfWork } from './unit-of-work/unit-of-work.service';

@Module({})
export class AppModule {
  static forRoot(config: AccountApiConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        KeysModule,
        TenancyModule,
        UsersModule,
        IdempotencyModule,
        SmsCatalogModule,
        EmailCatalogModule.forRoot(config),
        ChatappCatalogModule,
        BotCatalogModule,
      ],
      controllers: [
        AuthController,
        WorkspacesController,
        ...peopleControllers,
        ApiKeysController,
        CreditsController,
        BillingController,
        OnboardingsController,
        SendersController,
        TemplatesController,
        ...emailControllers,
        ...chatappControllers,
        ...botControllers,
        OrganizationsController,
        ReviewsController,
      ],
      providers: [
        { provide: ACCOUNT_API_CONFIG, useValue: config },
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
        Authenticator,
        RateLimits,
        UnitOfWork,
        WorkspacesService,
        KeyManagementService,
        CreditsService,
        RegistrationsService,
        ...emailProviders,
        ...chatappProviders,
        ...botProviders,
        OrganizationsService,
        ReviewsService,
        ...peopleProviders,
      ],
    };
  }
}
