import { Module } from '@nestjs/common';
import { InboxModule } from '../../bots-and-inbox/inbox/inbox.module';
import { V1QuoteController } from './quote.controller';
import { QuoteService } from './quote.service';

/** What a send of any channel would cost. */
@Module({ imports: [InboxModule], controllers: [V1QuoteController], providers: [QuoteService] })
export class QuoteModule {}
