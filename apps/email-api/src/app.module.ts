import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from '@heliograph/auth';
import { EmailCatalogModule } from '@heliograph/email-catalog';
import { IdempotencyModule } from '@heliograph/idempotency';
import { Health, LOGGER, type Logger } from '@heliograph/service-kit';
import { TenancyModule } from '@heliograph/tenancy';
import { CatalogController } from './catalog/catalog.controller';
import { DomainChecksTimer } from './domains/domain-checks.timer';
import type { EmailApiSettings } from './email-api.config';
import { EMAIL_API_SETTINGS } from './email-api.tokens';
import { EmailMetrics } from './email-metrics';
import { RecipientEvents } from './events/recipient-events';
import { Acceptance } from './messages/acceptance';
import { CallDelivery } from './messages/call-delivery';
import { MessagesController } from './messages/messages.controller';
import { MessagesRepository } from './messages/messages.repository';
import { MessagesService } from './messages/messages.service';
import { RetentionService } from './messages/retention.service';
import { SendAnswers } from './messages/send-answers';
import { SendController } from './messages/send.controller';
import { SendService } from './messages/send.service';
import { PlatformMailConsumer } from './platform-mail/platform-mail.consumer';
import { ReturnsService } from './returns/returns.service';
import { AttemptsRepository } from './sending/attempts.repository';
import { DeliveryService } from './sending/delivery.service';
import { DueConsumer } from './sending/due.consumer';
import { Leases } from './sending/leases';
import { MailComposer } from './sending/mail-composer';
import { SmtpBackend } from './sending/smtp/smtp-backend';
import { smtpServerOf } from './sending/smtp/smtp-settings';
import { RecipientTokens } from './tokens/recipient-tokens';
import { MailsRepository } from './tracking/mails.repository';
import { UnsubscribeController } from './tracking/unsubscribe.controller';
import { VisitsController } from './tracking/visits.controller';
import { VisitsService } from './tracking/visits.service';

@Module({})
export class AppModule {
  static forRoot(settings: EmailApiSettings): DynamicModule {
    return {
      module: AppModule,
      imports: [AuthModule, TenancyModule, IdempotencyModule, EmailCatalogModule.forRoot(settings)],
      controllers: [SendController, MessagesController, CatalogController, VisitsController, UnsubscribeController],
      providers: [
        { provide: EMAIL_API_SETTINGS, useValue: settings },
        { provide: RecipientTokens, useFactory: () => new RecipientTokens(settings.EMAIL_TOKEN_SECRET) },
        {
          provide: SmtpBackend,
          inject: [LOGGER, Health],
          useFactory: (log: Logger, health: Health) => {
            const backend = new SmtpBackend(smtpServerOf(settings), settings.EMAIL_SMTP_CONNECTIONS, log);
            // Not critical: while the backend is down, accepted sends are retried.
            health.register('mail backend', false, () => {
              if (backend.isDown) throw new Error('unreachable');
            });
            return backend;
          },
        },
        Acceptance,
        AttemptsRepository,
        CallDelivery,
        DeliveryService,
        DomainChecksTimer,
        DueConsumer,
        EmailMetrics,
        Leases,
        MailComposer,
        MailsRepository,
        MessagesRepository,
        MessagesService,
        PlatformMailConsumer,
        RecipientEvents,
        RetentionService,
        ReturnsService,
        SendAnswers,
        SendService,
        VisitsService,
      ],
    };
  }
}
