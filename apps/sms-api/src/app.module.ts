import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from '@heliograph/auth';
import { IdempotencyModule } from '@heliograph/idempotency';
import { Health, LOGGER, type Logger } from '@heliograph/service-kit';
import { SmsCatalogModule } from '@heliograph/sms-catalog';
import { TenancyModule } from '@heliograph/tenancy';
import { CARRIERS, CarrierPool } from './carriers/carrier-pool';
import { CatalogController } from './catalog/catalog.controller';
import { Acceptance } from './messages/acceptance';
import { MessagesController } from './messages/messages.controller';
import { MessagesRepository } from './messages/messages.repository';
import { MessagesService } from './messages/messages.service';
import { RetentionService } from './messages/retention.service';
import { SendController } from './messages/send.controller';
import { SendService } from './messages/send.service';
import { UnmatchedReceiptsService } from './receipts/unmatched-receipts.service';
import { ReceiptsService } from './receipts/receipts.service';
import { SendConsumer } from './sending/send.consumer';
import { SubmitService } from './sending/submit.service';
import { SubmitsRepository } from './sending/submits.repository';
import type { SmsApiSettings } from './sms-api.config';
import { SMS_API_SETTINGS } from './sms-api.tokens';
import { SmsMetrics } from './sms-metrics';
import { SoapController } from './soap/soap.controller';

@Module({})
export class AppModule {
  static forRoot(settings: SmsApiSettings): DynamicModule {
    return {
      module: AppModule,
      imports: [AuthModule, TenancyModule, IdempotencyModule, SmsCatalogModule],
      controllers: [SendController, MessagesController, CatalogController, SoapController],
      providers: [
        { provide: SMS_API_SETTINGS, useValue: settings },
        {
          provide: CARRIERS,
          inject: [LOGGER],
          useFactory: (log: Logger) => new CarrierPool(settings.ROLE === 'api' ? [] : settings.SMS_CARRIERS, log),
        },
        {
          provide: 'CARRIER_HEALTH',
          inject: [Health, CARRIERS],
          useFactory: (health: Health, { carriers }: CarrierPool) => {
            // Not critical: while no carrier is bound, accepted messages wait in the queue.
            for (const carrier of carriers) {
              health.register(`carrier ${carrier.name}`, false, () => {
                if (!carrier.bound) throw new Error('unbound');
              });
            }
            return health;
          },
        },
        Acceptance,
        SendService,
        MessagesRepository,
        MessagesService,
        RetentionService,
        SubmitsRepository,
        SubmitService,
        SendConsumer,
        ReceiptsService,
        UnmatchedReceiptsService,
        SmsMetrics,
      ],
    };
  }
}
