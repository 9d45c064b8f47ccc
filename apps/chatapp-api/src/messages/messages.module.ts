import { Module } from '@nestjs/common';
import { ChatappCatalogModule } from '@heliograph/chatapp-catalog';
import { IdempotencyModule } from '@heliograph/idempotency';
import { PersonsModule, TenancyModule } from '@heliograph/tenancy';
import { MediaModule } from '../media/media.module';
import { PacingModule } from '../pacing/pacing.module';
import { SwitchesModule } from '../switches/switches.module';
import { UpstreamModule } from '../upstream/upstream.module';
import { Acceptance } from './acceptance';
import { Answers } from './answers';
import { MessagesController } from './messages.controller';
import { MessagesRepository } from './messages.repository';
import { MessagesService } from './messages.service';
import { QuoteService } from './quotes/quote.service';
import { RetentionService } from './retention.service';
import { SendController } from './send.controller';
import { SendService } from './send.service';
import { V1QuoteController } from './quotes/v1-quote.controller';
import { SettlementService } from './settlement.service';

@Module({
  imports: [
    ChatappCatalogModule,
    IdempotencyModule,
    PersonsModule,
    TenancyModule,
    MediaModule,
    PacingModule,
    SwitchesModule,
    UpstreamModule,
  ],
  controllers: [SendController, V1QuoteController, MessagesController],
  providers: [
    Acceptance,
    Answers,
    MessagesRepository,
    MessagesService,
    QuoteService,
    RetentionService,
    SendService,
    SettlementService,
  ],
})
export class MessagesModule {}
