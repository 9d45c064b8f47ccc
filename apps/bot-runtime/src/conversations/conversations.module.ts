import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { conversationEntities } from '@heliograph/bot-conversations';
import { LiveModule } from '../live/live.module';
import { VisitorsModule } from '../visitors/visitors.module';
import { ConversationsController } from './conversations.controller';
import { ConversationsService } from './conversations.service';
import { RetentionService } from './retention.service';

@Module({
  imports: [TypeOrmModule.forFeature(conversationEntities), LiveModule, VisitorsModule],
  controllers: [ConversationsController],
  providers: [ConversationsService, RetentionService],
})
export class ConversationsModule {}
