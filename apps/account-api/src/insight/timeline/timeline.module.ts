import { Module } from '@nestjs/common';
import { WebhooksLibraryModule } from '@heliograph/webhooks';
import { V1TimelineController } from './timeline.controller';
import { TimelineService } from './timeline.service';

/** What happened to a message of any channel. */
@Module({ imports: [WebhooksLibraryModule], controllers: [V1TimelineController], providers: [TimelineService] })
export class TimelineModule {}
