import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from '@heliograph/auth';
import { IdempotencyModule } from '@heliograph/idempotency';
import { Health, LOGGER, type Logger } from '@heliograph/platform';
import { TenancyModule } from '@heliograph/tenancy';
import { poolOf } from '@heliograph/database';
import { BUS, type Bus } from '@heliograph/messaging';
import { DataSource } from 'typeorm';
import { CARRIERS, CarrierPool } from './carriers/carrier-pool';
import { Catalog } from './catalog/catalog';
import { CatalogController } from './catalog/catalog.controller';
import { CatalogService } from './catalog/catalog.service';
import { Acceptance } from './messages/acceptance';
import { MessagesController } from './messages/messages.controller';
import { MessagesRepository } from './messages/messages.repository';
import { MessagesService } from './messages/messages.service';
import { RetentionService } from './messages/retention.service';
import { SendController } from './messages/send.controller';
import { SendService } from './messages/send.service';
import { ParkedReceiptsService } from './receipts/parked-receipts.service';
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
      imports: [AuthModule, TenancyModule, IdempotencyModule],
      controllers: [SendController, MessagesController, CatalogController, SoapController],
      providers: [
        { provide: SMS_API_SETTINGS, useValue: settings },
        {
          provide: CARRIERS,
          inject: [LOGGER],
          useFactory: (log: Logger) => new CarrierPool(settings.ROLE === 'api' ? [] : settings.SMS_CARRIERS, log),
        },
        {
          provide: 'HEALTH_CHECKS',
          inject: [Health, DataSource, BUS, CARRIERS],
          useFactory: (health: Health, dataSource: DataSource, bus: Bus, carriers: CarrierPool) => {
            health.register('database', true, async () => void (await poolOf(dataSource).query('SELECT 1')));
            // Sends are accepted without the two: they wait in the outbox and in the queue.
            health.register('bus', false, () => {
              if (!bus.ready) throw new Error('away');
            });
            for (const carrier of carriers.carriers) {
              health.register(`carrier ${carrier.name}`, false, () => {
                if (!carrier.bound) throw new Error('unbound');
              });
            }
            return health;
          },
        },
        Catalog,
        CatalogService,
        Acceptance,
        SendService,
        MessagesRepository,
        MessagesService,
        RetentionService,
        SubmitsRepository,
        SubmitService,
        SendConsumer,
        ReceiptsService,
        ParkedReceiptsService,
        SmsMetrics,
      ],
      exports: [CatalogService],
    };
  }
}
