import { Module, type DynamicModule, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { BotCatalogModule } from '@heliograph/bot-catalog';
import { IdempotencyModule } from '@heliograph/idempotency';
import type { BotRuntimeConfig } from './bot-runtime.config';
import { BOT_RUNTIME_CONFIG } from './bot-runtime.tokens';
import { ConversationsController } from './conversations/conversations.controller';
import { ConversationsRepository } from './conversations/conversations.repository';
import { ConversationsService } from './conversations/conversations.service';
import { MessagesController } from './conversations/messages.controller';
import { MessagesService } from './conversations/messages.service';
import { IdempotentTurnsService } from './conversations/idempotent-turns.service';
import { ReplyService } from './conversations/reply.service';
import { Retention } from './conversations/retention.service';
import { StartController } from './conversations/start.controller';
import { StartService } from './conversations/start.service';
import { StreamedAnswers } from './conversations/streamed-answers';
import { TurnMetrics } from './conversations/turn-metrics';
import { TurnWriter } from './conversations/turn-writer';
import { TurnsService } from './conversations/turns.service';
import { VisitorGuard } from './conversations/visitor.guard';
import { allowAnyOrigin, allowAnyReader } from './cross-origin';
import { LanguageModel } from './language-model/language-model';
import { ChatLimits } from './limits/chat-limits';
import { EventStreamsService } from './live/event-streams.service';
import { EventsController } from './live/events.controller';
import { LiveConversations } from './live/live-conversations';
import { LiveRepository } from './live/live.repository';
import { pagesControllers, pagesProviders } from './pages/pages';
import { SubmissionsService } from './submissions/submissions.service';

@Module({})
export class AppModule implements NestModule {
  static forRoot(config: BotRuntimeConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [IdempotencyModule, BotCatalogModule],
      controllers: [
        StartController,
        ConversationsController,
        MessagesController,
        EventsController,
        ...pagesControllers,
      ],
      providers: [
        { provide: BOT_RUNTIME_CONFIG, useValue: config },
        ChatLimits,
        ConversationsRepository,
        ConversationsService,
        EventStreamsService,
        LanguageModel,
        LiveConversations,
        LiveRepository,
        MessagesService,
        IdempotentTurnsService,
        ReplyService,
        Retention,
        StartService,
        StreamedAnswers,
        SubmissionsService,
        TurnMetrics,
        TurnsService,
        TurnWriter,
        VisitorGuard,
        ...pagesProviders,
      ],
    };
  }

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(allowAnyOrigin).forRoutes('api/v1/chat/{*path}');
    consumer.apply(allowAnyReader).forRoutes('bots/widget.js', 'bots/widget/config', 'bots/assets/{*path}');
  }
}
