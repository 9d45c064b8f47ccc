import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { EventsModule } from '../events/events.module';
import { TokensModule } from '../tokens/tokens.module';
import { MailsRepository } from './mails.repository';
import { UnsubscribeController } from './unsubscribe.controller';
import { UnsubscribeLinkGuard } from './unsubscribe-link.guard';
import { VisitsController } from './visits.controller';
import { VisitsService } from './visits.service';

@Module({
  imports: [EventsModule, TokensModule],
  controllers: [VisitsController, UnsubscribeController],
  providers: [{ provide: APP_GUARD, useClass: UnsubscribeLinkGuard }, MailsRepository, VisitsService],
})
export class TrackingModule {}
