import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { botEntities } from '@heliograph/bot-conversations';
import { ContactsController } from './contacts.controller';
import { ContactsService } from './contacts.service';
import { ConversationsController } from './conversations.controller';
import { ConversationsRepository } from './conversations.repository';
import { ConversationsService } from './conversations.service';
import { ReplyQuoteService } from './reply-quote.service';
import { SubmissionsController } from './submissions.controller';
import { SubmissionsRepository } from './submissions.repository';
import { SubmissionsService } from './submissions.service';

/** Conversations of visitors with bots, contacts and form submissions. */
@Module({
  imports: [TypeOrmModule.forFeature(botEntities)],
  controllers: [ConversationsController, ContactsController, SubmissionsController],
  providers: [
    ContactsService,
    ConversationsRepository,
    ConversationsService,
    ReplyQuoteService,
    SubmissionsRepository,
    SubmissionsService,
  ],
  exports: [ReplyQuoteService],
})
export class InboxModule {}
