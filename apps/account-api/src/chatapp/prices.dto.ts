import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CATEGORIES, MAX_COST, type Category, type ChatappPrice } from '@heliograph/chatapp-catalog';
import { PageQuery } from '../http/query';
import { IsFilledText, IsMoment, IsOneOf, IsWhole, MayBeAbsent } from '../http/rules';

const MAX_CODE_LENGTH = 10;
const countryOf = { example: 'IN', description: 'ISO 3166 alpha-2; `*`: every country without a price of its own' };
const cost = { type: 'integer', minimum: 0, maximum: MAX_COST, description: 'Minor units of the currency' } as const;
const currencyOf = { example: 'INR', description: 'ISO 4217' };

export class ChatappPriceRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty(countryOf)
  country: string;
  @ApiProperty({ enum: CATEGORIES })
  category: Category;
  @ApiProperty(cost)
  baseCost: number;
  @ApiProperty(cost)
  markup: number;
  @ApiProperty({ type: 'integer', description: 'What a message costs: base cost and markup' })
  price: number;
  @ApiProperty(currencyOf)
  currency: string;
  @ApiProperty({ format: 'date-time', description: 'Holds from then on, until the next one of country and category' })
  validFrom: string;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of({ id, country, category, baseCost, markup, currency, ...at }: ChatappPrice): ChatappPriceRecord {
    return {
      ...{ id, country, category, baseCost, markup, price: baseCost + markup, currency },
      validFrom: at.validFrom.toISOString(),
      createdAt: at.createdAt.toISOString(),
    };
  }
}

export class OneChatappPrice {
  @ApiProperty()
  price: ChatappPriceRecord;
}

export class ChatappPricePage {
  @ApiProperty({ type: [ChatappPriceRecord] })
  prices: ChatappPriceRecord[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

export class ChatappPriceQuery extends PageQuery {
  @ApiPropertyOptional(countryOf)
  @MayBeAbsent()
  @IsFilledText(MAX_CODE_LENGTH)
  country?: string;
  @ApiPropertyOptional({ enum: CATEGORIES })
  @MayBeAbsent()
  @IsOneOf(CATEGORIES)
  category?: Category;
}

export class CreateChatappPriceRequest {
  @ApiProperty(countryOf)
  @IsFilledText(MAX_CODE_LENGTH)
  country: string;
  @ApiProperty({ enum: CATEGORIES })
  @IsOneOf(CATEGORIES)
  category: Category;
  @ApiProperty(cost)
  @IsWhole(0, MAX_COST)
  baseCost: number;
  @ApiProperty(cost)
  @IsWhole(0, MAX_COST)
  markup: number;
  @ApiProperty(currencyOf)
  @IsFilledText(MAX_CODE_LENGTH)
  currency: string;
  @ApiPropertyOptional({ format: 'date-time', description: 'Not in the past. Left out: now' })
  @MayBeAbsent()
  @IsMoment()
  validFrom?: string;
}

export class ChangeChatappPriceRequest {
  @ApiPropertyOptional(cost)
  @MayBeAbsent()
  @IsWhole(0, MAX_COST)
  baseCost?: number;
  @ApiPropertyOptional(cost)
  @MayBeAbsent()
  @IsWhole(0, MAX_COST)
  markup?: number;
  @ApiPropertyOptional(currencyOf)
  @MayBeAbsent()
  @IsFilledText(MAX_CODE_LENGTH)
  currency?: string;
  @ApiPropertyOptional({ format: 'date-time', description: 'Not in the past' })
  @MayBeAbsent()
  @IsMoment()
  validFrom?: string;
}
