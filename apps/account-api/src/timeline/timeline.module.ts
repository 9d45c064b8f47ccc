import { Module } from '@nestjs/common';
import { V1TimelineController } from './timeline.controller';
import { TimelineService } from './timeline.service';

/** Timelines of the messages of all channels. */
@Module({ controllers: [V1TimelineController], providers: [TimelineService] })
export class TimelineModule {}
