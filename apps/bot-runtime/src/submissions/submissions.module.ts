import { Module } from '@nestjs/common';
import { BotCatalogModule } from '@heliograph/bot-catalog';
import { IdempotencyModule } from '@heliograph/idempotency';
import { TurnsModule } from '../turns/turns.module';
import { VisitorsModule } from '../visitors/visitors.module';
import { SubmissionsController } from './submissions.controller';
import { SubmissionsService } from './submissions.service';

@Module({
  imports: [BotCatalogModule, IdempotencyModule, TurnsModule, VisitorsModule],
  controllers: [SubmissionsController],
  providers: [SubmissionsService],
})
export class SubmissionsModule {}
