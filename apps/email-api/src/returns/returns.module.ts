import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { TokensModule } from '../tokens/tokens.module';
import { ReturnsService } from './returns.service';

@Module({ imports: [EventsModule, TokensModule], providers: [ReturnsService] })
export class ReturnsModule {}
