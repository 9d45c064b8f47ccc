import { Module } from '@nestjs/common';
import { TokensModule } from '../tokens/tokens.module';
import { RecipientEvents } from './recipient-events';

@Module({ imports: [TokensModule], providers: [RecipientEvents], exports: [RecipientEvents] })
export class EventsModule {}
