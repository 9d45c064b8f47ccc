import { Module } from '@nestjs/common';
import { V1QuoteController } from './quote.controller';
import { QuoteService } from './quote.service';

/** What a send of any channel would cost. */
@Module({ controllers: [V1QuoteController], providers: [QuoteService] })
export class QuoteModule {}
