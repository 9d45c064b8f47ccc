import { Module } from '@nestjs/common';
import { V1QuoteController } from './quote.controller';
import { QuoteService } from './quote.service';

/** Quotes for sends of all channels. */
@Module({ controllers: [V1QuoteController], providers: [QuoteService] })
export class QuoteModule {}
