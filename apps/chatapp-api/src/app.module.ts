import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from '@heliograph/auth';
import { ChatappCatalogModule } from '@heliograph/chatapp-catalog';
import { IdempotencyModule } from '@heliograph/idempotency';
import { TenancyModule } from '@heliograph/tenancy';
import type { ChatappApiConfig } from './chatapp-api.config';
import { CHATAPP_API_CONFIG } from './chatapp-api.tokens';
import { ChatappMetrics } from './chatapp-metrics';
import { ConsentsController } from './consents/consents.controller';
import { ConsentsService } from './consents/consents.service';
import { MediaController } from './media/media.controller';
import { MediaRepository } from './media/media.repository';
import { MediaService } from './media/media.service';
import { Acceptance } from './messages/acceptance';
import { Answers } from './messages/answers';
import { MessagesController } from './messages/messages.controller';
import { MessagesRepository } from './messages/messages.repository';
import { MessagesService } from './messages/messages.service';
import { SendController } from './messages/send.controller';
import { SendService } from './messages/send.service';
import { Settlement } from './messages/settlement';
import { SendSemaphore } from './pacing/send-semaphore';
import { SendingSwitches } from './switches/sending-switches';
import { TemplateSyncService } from './templates/template-sync.service';
import { TemplatesController } from './templates/templates.controller';
import { TemplatesRepository } from './templates/templates.repository';
import { TemplatesService } from './templates/templates.service';
import { GraphClient } from './upstream/graph-client';
import { GraphTransport } from './upstream/graph-transport';

@Module({})
export class AppModule {
  static forRoot(config: ChatappApiConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [AuthModule, TenancyModule, IdempotencyModule, ChatappCatalogModule],
      controllers: [SendController, MessagesController, TemplatesController, MediaController, ConsentsController],
      providers: [
        { provide: CHATAPP_API_CONFIG, useValue: config },
        {
          provide: SendSemaphore,
          useFactory: () =>
            new SendSemaphore({
              slots: config.CHATAPP_CONNECTIONS,
              perSecond: config.CHATAPP_MESSAGES_PER_SECOND,
              pairBurst: config.CHATAPP_PAIR_BURST,
              pairIntervalMs: config.CHATAPP_PAIR_INTERVAL_MS,
              maxWaitMs: config.CHATAPP_MAX_WAIT_MS,
            }),
        },
        Acceptance,
        Answers,
        ChatappMetrics,
        ConsentsService,
        GraphClient,
        GraphTransport,
        MediaRepository,
        MediaService,
        MessagesRepository,
        MessagesService,
        SendingSwitches,
        SendService,
        Settlement,
        TemplatesRepository,
        TemplatesService,
        TemplateSyncService,
      ],
    };
  }
}
