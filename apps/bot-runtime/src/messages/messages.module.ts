import { Module } from '@nestjs/common';
import { IdempotencyModule } from '@heliograph/idempotency';
import { TurnsModule } from '../turns/turns.module';
import { VisitorsModule } from '../visitors/visitors.module';
import { MessagesController } from './messages.controller';
import { MessagesService } from './messages.service';

@Module({
  imports: [IdempotencyModule, TurnsModule, VisitorsModule],
  controllers: [MessagesController],
  providers: [MessagesService],
})
export class MessagesModule {}
