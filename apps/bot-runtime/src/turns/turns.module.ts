import { Module } from '@nestjs/common';
import { BotCatalogModule } from '@heliograph/bot-catalog';
import { LanguageModelModule } from '../language-model/language-model.module';
import { LiveModule } from '../live/live.module';
import { VisitorsModule } from '../visitors/visitors.module';
import { ReplyService } from './reply.service';
import { TurnResponses } from './turn-responses';
import { TurnMetrics } from './turn-metrics';
import { TurnWriter } from './turn-writer';
import { TurnsService } from './turns.service';

@Module({
  imports: [BotCatalogModule, LanguageModelModule, LiveModule, VisitorsModule],
  providers: [ReplyService, TurnResponses, TurnMetrics, TurnWriter, TurnsService],
  exports: [ReplyService, TurnResponses, TurnMetrics, TurnWriter, TurnsService],
})
export class TurnsModule {}
