import { Module } from '@nestjs/common';
import { CONFIG } from '@heliograph/service-kit';
import type { ChatappApiConfig } from '../chatapp-api.config';
import { PacingMetrics } from './pacing-metrics';
import { SendSemaphore } from './send-semaphore';

@Module({
  providers: [
    {
      provide: SendSemaphore,
      inject: [CONFIG],
      useFactory: (config: ChatappApiConfig) =>
        new SendSemaphore({
          slots: config.CHATAPP_CONNECTIONS,
          perSecond: config.CHATAPP_MESSAGES_PER_SECOND,
          pairBurst: config.CHATAPP_PAIR_BURST,
          pairIntervalMs: config.CHATAPP_PAIR_INTERVAL_MS,
          maxWaitMs: config.CHATAPP_MAX_WAIT_MS,
        }),
    },
    PacingMetrics,
  ],
  exports: [SendSemaphore],
})
export class PacingModule {}
