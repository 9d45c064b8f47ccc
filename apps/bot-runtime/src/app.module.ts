import { Module, type DynamicModule, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { BotCatalogModule } from '@heliograph/bot-catalog';
import { IdempotencyModule } from '@heliograph/idempotency';
import type { BotRuntimeConfig } from './bot-runtime.config';
import { BOT_RUNTIME_CONFIG } from './bot-runtime.tokens';
import { ConversationsController } from './conversations/conversations.controller';
import { ConversationsRepository } from './conversations/conversations.repository';
import { ConversationsService } from './conversations/conversations.service';
import { MessagesController } from './messages/messages.controller';
import { MessagesService } from './messages/messages.service';
import { SubmissionsController } from './submissions/submissions.controller';
import { ReplyService } from './turns/reply.service';
import { Retention } from './conversations/retention.service';
import { StartController } from './start/start.controller';
import { StartService } from './start/start.service';
import { TurnMetrics } from './turns/turn-metrics';
import { StreamedReplyInterceptor } from './messages/streamed-reply.interceptor';
import { TurnAnswers } from './turns/turn-answers';
import { TurnWriter } from './turns/turn-writer';
import { TurnsService } from './turns/turns.service';
import { VisitorGuard } from './conversations/visitor.guard';
import { allowAnyOrigin, allowAnyReader } from './cross-origin';
import { LanguageModel } from './language-model/language-model';
import { ChatLimitGuard } from './limits/chat-limit.guard';
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
        SubmissionsController,
        EventsController,
        ...pagesControllers,
      ],
      providers: [
        { provide: BOT_RUNTIME_CONFIG, useValue: config },
        ChatLimitGuard,
        ConversationsRepository,
        ConversationsService,
        EventStreamsService,
        LanguageModel,
        LiveConversations,
        LiveRepository,
        MessagesService,
        ReplyService,
        Retention,
        StartService,
        StreamedReplyInterceptor,
        TurnAnswers,
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
