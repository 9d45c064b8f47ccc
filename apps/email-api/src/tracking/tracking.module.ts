import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { TokensModule } from '../tokens/tokens.module';
import { MailsRepository } from './mails.repository';
import { UnsubscribeController } from './unsubscribe.controller';
import { VisitsController } from './visits.controller';
import { VisitsService } from './visits.service';

@Module({
  imports: [EventsModule, TokensModule],
  controllers: [VisitsController, UnsubscribeController],
  providers: [MailsRepository, VisitsService],
})
export class TrackingModule {}
