import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequireOperator } from '../../../access/access.decorators';
import { AccountOperation, IdempotentWrite } from '../../../http/envelope';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import {
  ChangeChatappPriceRequest,
  ChatappPricePage,
  ChatappPriceQuery,
  CreateChatappPriceRequest,
  OneChatappPrice,
} from './prices.dto';
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
  @AccountOperation({
    id: 'listChatappPrices',
    summary: 'List past, current and future prices of chat-app messages',
    description: 'A price is valid until the next one of its country and category starts.',
    response: ChatappPricePage,
  })
  list(@Query() query: ChatappPriceQuery): Promise<ChatappPricePage> {
    return this.prices.list(query);
  }

  @Post()
  @IdempotentWrite()
  @AccountOperation({
    id: 'createChatappPrice',
    summary: 'Set the current or a future price of a message',
    description: 'Without `validFrom`, it is valid immediately.',
    status: 201,
    response: OneChatappPrice,
    errors: ['NAME_TAKEN'],
  })
  create(@Body() body: CreateChatappPriceRequest, @CurrentWrite() write: Write): Promise<OneChatappPrice> {
    return this.prices.create(write, body);
  }

  @Patch(':priceId')
  @IdempotentWrite()
  @AccountOperation({
    id: 'changeChatappPrice',
    summary: 'Update a future price',
    description: 'Past and current prices do not change, because messages were charged by them.',
    response: OneChatappPrice,
    errors: ['NAME_TAKEN', 'STATE_CONFLICT'],
    sample: {
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
    },
  })
  update(
    @Param('priceId') id: string,
    @Body() body: ChangeChatappPriceRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneChatappPrice> {
    return this.prices.update(write, id, body);
  }

  @Delete(':priceId')
  @IdempotentWrite()
  @AccountOperation({
    id: 'removeChatappPrice',
    summary: 'Delete a future price',
    description: 'Past and current prices cannot be deleted.',
    response: OneChatappPrice,
    errors: ['STATE_CONFLICT'],
    sample: {
      values: {
        priceId: {
          create: '/api/platform/chatapp/prices',
          body: {
            ...PRICE,
            validFrom: '2098-01-01T00:00:00Z',
          },
        },
      },
    },
  })
  remove(@Param('priceId') id: string, @CurrentWrite() write: Write): Promise<OneChatappPrice> {
    return this.prices.remove(write, id);
  }
}
