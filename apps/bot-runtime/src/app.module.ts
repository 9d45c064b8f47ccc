import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ConversationsModule } from './conversations/conversations.module';
import { CrossOriginModule } from './cross-origin/cross-origin.module';
import { ErasureModule } from './erasure/erasure.module';
import { ChatLimitGuard } from './limits/chat-limit.guard';
import { LiveModule } from './live/live.module';
import { MessagesModule } from './messages/messages.module';
import { PagesModule } from './pages/pages.module';
import { StartModule } from './start/start.module';
import { SubmissionsModule } from './submissions/submissions.module';
import { VisitorGuard } from './visitors/visitor.guard';
import { VisitorsModule } from './visitors/visitors.module';

@Module({
  imports: [
    CrossOriginModule,
    VisitorsModule,
    StartModule,
    ConversationsModule,
    MessagesModule,
    SubmissionsModule,
    LiveModule,
    PagesModule,
    ErasureModule,
  ],
  // In this order: the limits of a conversation need the conversation that the VisitorGuard finds.
  providers: [
    { provide: APP_GUARD, useClass: VisitorGuard },
    { provide: APP_GUARD, useClass: ChatLimitGuard },
  ],
})
export class AppModule {}
