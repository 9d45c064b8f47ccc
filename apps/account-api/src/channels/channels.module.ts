import { Module } from '@nestjs/common';
import { ChatappModule } from './chatapp/chatapp.module';
import { EmailModule } from './email/email.module';
import { QuoteModule } from './quote/quote.module';
import { SmsModule } from './sms/sms.module';

/** Senders, templates, domains and prices of each channel, and quotes. */
@Module({ imports: [SmsModule, EmailModule, ChatappModule, QuoteModule] })
export class ChannelsModule {}
