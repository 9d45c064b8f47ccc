import { Module, type DynamicModule } from '@nestjs/common';
import { ChatappCatalogModule } from '@heliograph/chatapp-catalog';
import type { ChatappHookConfig } from './chatapp-hook.config';
import { CHATAPP_HOOK_CONFIG } from './chatapp-hook.tokens';
import { ReceiveService } from './receiving/receive.service';
import { UpdateMetrics } from './receiving/update-metrics';
import { UpdateStore } from './receiving/update-store';
import { WebhookController } from './webhook.controller';

@Module({})
export class AppModule {
  static forRoot(config: ChatappHookConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [ChatappCatalogModule],
      controllers: [WebhookController],
      providers: [{ provide: CHATAPP_HOOK_CONFIG, useValue: config }, UpdateMetrics, UpdateStore, ReceiveService],
    };
  }
}
