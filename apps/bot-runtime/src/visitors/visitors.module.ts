import { Module } from '@nestjs/common';
import { ConversationsRepository } from './conversations.repository';
import { VisitorGuard } from './visitor.guard';

@Module({
  providers: [ConversationsRepository, VisitorGuard],
  exports: [ConversationsRepository, VisitorGuard],
})
export class VisitorsModule {}
