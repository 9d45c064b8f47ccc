import { Module, type DynamicModule } from '@nestjs/common';
import { ChatappCatalogModule } from '@heliograph/chatapp-catalog';
import type { ChatappHookSettings } from './chatapp-hook.config';
import { CHATAPP_HOOK_SETTINGS } from './chatapp-hook.tokens';
import { ReceiveService } from './receiving/receive.service';
import { UpdateMetrics } from './receiving/update-metrics';
import { UpdateStore } from './receiving/update-store';
import { WebhookController } from './webhook.controller';

@Module({})
export class AppModule {
  static forRoot(settings: ChatappHookSettings): DynamicModule {
    return {
      module: AppModule,
      imports: [ChatappCatalogModule],
      controllers: [WebhookController],
      providers: [{ provide: CHATAPP_HOOK_SETTINGS, useValue: settings }, UpdateMetrics, UpdateStore, ReceiveService],
    };
  }
}
