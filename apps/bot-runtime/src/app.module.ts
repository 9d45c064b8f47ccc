import { Module } from '@nestjs/common';
import { ConversationsModule } from './conversations/conversations.module';
import { CrossOriginModule } from './cross-origin/cross-origin.module';
import { ErasureModule } from './erasure/erasure.module';
import { LiveModule } from './live/live.module';
import { MessagesModule } from './messages/messages.module';
import { PagesModule } from './pages/pages.module';
import { StartModule } from './start/start.module';
import { SubmissionsModule } from './submissions/submissions.module';

@Module({
  imports: [
    CrossOriginModule,
    StartModule,
    ConversationsModule,
    MessagesModule,
    SubmissionsModule,
    LiveModule,
    PagesModule,
    ErasureModule,
  ],
})
export class AppModule {}
