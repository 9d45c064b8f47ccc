import type { Integer, Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CATEGORIES, MAX_COST, type ChatappPrice } from '@heliograph/chatapp-catalog';
import { One, ListOf } from '../../../http/answers';
import { ChangesOf } from '../../../http/changes-of';
import { PageQuery } from '../../../http/page.query';
import { IsNonBlankText, Optional, IsInteger, IsTimestamp, IsOneOf } from '../../../http/rules';

const MAX_CODE_LENGTH = 10;
const countryOf = {
  example: 'IN',
  description: 'ISO 3166-1 alpha-2 code of the country, or `*` for all countries without a separate price',
};
const cost = {
  type: 'integer',
  minimum: 0,
  maximum: MAX_COST,
  description: 'Amount in minor units of the currency',
} as const;
const currencyOf = { example: 'INR', description: 'ISO 4217 code of the currency' };

export class ChatappPriceRecord {
  id: Uuid;
  @ApiProperty(countryOf)
  country: string;
  category: (typeof CATEGORIES)[number];
  @ApiProperty(cost)
  baseCost: number;
  @ApiProperty(cost)
  markup: number;
  /** Price of a message, which is the sum of base cost and markup. */
  price: Integer;
  @ApiProperty(currencyOf)
  currency: string;
  /** Start of the validity. It ends when the next price of the country and category starts. */
  validFrom: Timestamp;
  createdAt: Timestamp;

  static of({ id, country, category, baseCost, markup, currency, ...at }: ChatappPrice): ChatappPriceRecord {
    return {
      id,
      country,
      category,
      baseCost,
      markup,
      price: baseCost + markup,
      currency,
      validFrom: at.validFrom.toISOString(),
      createdAt: at.createdAt.toISOString(),
    };
  }
}

export class OneChatappPrice extends One('price', ChatappPriceRecord) {}

export class ChatappPricePage extends ListOf('prices', ChatappPriceRecord) {}

export class ChatappPriceQuery extends PageQuery {
  @ApiPropertyOptional(countryOf)
  @Optional()
  @IsNonBlankText(MAX_CODE_LENGTH)
  country?: string;
  @Optional()
  @IsOneOf(CATEGORIES)
  category?: (typeof CATEGORIES)[number];
}

export class CreateChatappPriceRequest {
  @ApiProperty(countryOf)
  @IsNonBlankText(MAX_CODE_LENGTH)
  country: string;
  @IsOneOf(CATEGORIES)
  category: (typeof CATEGORIES)[number];
  @ApiProperty(cost)
  @IsInteger(0, MAX_COST)
  baseCost: number;
  @ApiProperty(cost)
  @IsInteger(0, MAX_COST)
  markup: number;
  @ApiProperty(currencyOf)
  @IsNonBlankText(MAX_CODE_LENGTH)
  currency: string;
  /** Start of the validity; must not be in the past. If it is omitted, a new price is valid immediately. */
  @Optional()
  @IsTimestamp()
  validFrom?: Timestamp;
}

export class ChangeChatappPriceRequest extends ChangesOf(CreateChatappPriceRequest, [
  'baseCost',
  'markup',
  'currency',
  'validFrom',
]) {}
