import { Module } from '@nestjs/common';
import { RecipientEvents } from './recipient-events';

@Module({ providers: [RecipientEvents], exports: [RecipientEvents] })
export class EventsModule {}
