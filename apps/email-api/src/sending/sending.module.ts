import { Module, OnModuleInit } from '@nestjs/common';
import { EmailCatalogModule } from '@heliograph/email-catalog';
import { CONFIG, Health, HealthProblem, LOGGER, type Logger } from '@heliograph/service-kit';
import type { EmailApiConfig } from '../email-api.config';
import { EventsModule } from '../events/events.module';
import { TokensModule } from '../tokens/tokens.module';
import { AttemptsRepository } from './attempts.repository';
import { CampaignStops } from './campaign-stops';
import { DeliveryService } from './delivery.service';
import { DueConsumer } from './due.consumer';
import { Leases } from './leases';
import { MailComposer } from './mail-composer';
import { SendingMetrics } from './sending-metrics';
import { SmtpBackend } from './smtp/smtp-backend';
import { smtpServerOf } from './smtp/smtp-server';

@Module({
  imports: [EmailCatalogModule, EventsModule, TokensModule],
  providers: [
    {
      provide: SmtpBackend,
      inject: [CONFIG, LOGGER],
      useFactory: (config: EmailApiConfig, log: Logger) =>
        new SmtpBackend(smtpServerOf(config), config.EMAIL_SMTP_CONNECTIONS, log, config.JOB_WEIGHTS),
    },
    AttemptsRepository,
    CampaignStops,
    DeliveryService,
    DueConsumer,
    Leases,
    MailComposer,
    SendingMetrics,
  ],
  exports: [DeliveryService, MailComposer],
})
export class SendingModule implements OnModuleInit {
  constructor(
    private readonly backend: SmtpBackend,
    private readonly health: Health,
  ) {}

  onModuleInit(): void {
    // Not critical: while the backend is down, accepted sends are retried.
    this.health.register('mail backend', false, () => {
      if (this.backend.problem !== null) throw new HealthProblem(this.backend.problem);
    });
  }
}
