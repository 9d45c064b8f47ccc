import { Module } from '@nestjs/common';
import { InboxModule } from '../../bots-and-inbox/inbox/inbox.module';
import { ChannelCallsModule } from '../channel-calls/channel-calls.module';
import { V1QuoteController } from './quote.controller';

/** What a send of any channel would cost. */
@Module({ imports: [InboxModule, ChannelCallsModule], controllers: [V1QuoteController] })
export class QuoteModule {}
