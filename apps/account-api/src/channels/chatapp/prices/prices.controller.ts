import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequireOperator } from '../../../access/access.decorators';
import { ApiData, IdempotentWrite } from '../../../http/envelope';
import { AccountApiErrors } from '../../../http/api-errors';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import {
  ChangeChatappPriceRequest,
  ChatappPricePage,
  ChatappPriceQuery,
  CreateChatappPriceRequest,
  OneChatappPrice,
} from './prices.dto';
import { Sample } from '@heliograph/service-kit';
import { ChatappPricesService } from './prices.service';

/** A price of the samples, without its first day. */
const PRICE = {
  country: 'IN',
  category: 'utility',
  baseCost: 12,
  markup: 3,
  currency: 'INR',
};

@ApiTags('Platform operator')
@RequireOperator()
@Controller('api/platform/chatapp/prices')
export class ChatappPricesController {
  constructor(private readonly prices: ChatappPricesService) {}

  @Get()
  @ApiOperation({
    operationId: 'listChatappPrices',
    summary: 'List past, current and future prices of chat-app messages',
  })
  @ApiData(ChatappPricePage)
  list(@Query() query: ChatappPriceQuery): Promise<ChatappPricePage> {
    return this.prices.list(query);
  }

  @Post()
  @ApiOperation({
    operationId: 'createChatappPrice',
    summary: 'Set the current or a future price of a message',
  })
  @IdempotentWrite()
  @ApiData(OneChatappPrice, 201)
  @AccountApiErrors('NAME_TAKEN')
  create(@Body() body: CreateChatappPriceRequest, @CurrentWrite() write: Write): Promise<OneChatappPrice> {
    return this.prices.create(write, body);
  }

  @Patch(':priceId')
  @Sample({
    body: { markup: 25 },
    values: {
      priceId: {
        create: '/api/platform/chatapp/prices',
        body: {
          ...PRICE,
          validFrom: '2097-01-01T00:00:00Z',
        },
      },
    },
  })
  @ApiOperation({ operationId: 'changeChatappPrice', summary: 'Update a future price' })
  @IdempotentWrite()
  @ApiData(OneChatappPrice)
  @AccountApiErrors('NAME_TAKEN', 'STATE_CONFLICT')
  update(
    @Param('priceId') id: string,
    @Body() body: ChangeChatappPriceRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneChatappPrice> {
    return this.prices.update(write, id, body);
  }

  @Delete(':priceId')
  @Sample({
    values: {
      priceId: {
        create: '/api/platform/chatapp/prices',
        body: {
          ...PRICE,
          validFrom: '2098-01-01T00:00:00Z',
        },
      },
    },
  })
  @ApiOperation({ operationId: 'removeChatappPrice', summary: 'Delete a future price' })
  @IdempotentWrite()
  @ApiData(OneChatappPrice)
  @AccountApiErrors('STATE_CONFLICT')
  remove(@Param('priceId') id: string, @CurrentWrite() write: Write): Promise<OneChatappPrice> {
    return this.prices.remove(write, id);
  }
}
