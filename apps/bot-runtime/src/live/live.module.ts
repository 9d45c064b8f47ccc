import { Module } from '@nestjs/common';
import { VisitorsModule } from '../visitors/visitors.module';
import { EventStreamsService } from './event-streams.service';
import { EventsController } from './events.controller';
import { LiveConversations } from './live-conversations';
import { LiveRepository } from './live.repository';

@Module({
  imports: [VisitorsModule],
  controllers: [EventsController],
  providers: [LiveRepository, LiveConversations, EventStreamsService],
  exports: [LiveConversations],
})
export class LiveModule {}
