import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireOperator } from '../access/access.decorators';
import { ApiData, OPERATOR_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../http/json-body';
import { nextCursor, pageOf, ValidatedQuery } from '../http/query';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import {
  ChangeChatappPriceRequest,
  ChatappPricePage,
  ChatappPriceQuery,
  ChatappPriceRecord,
  CreateChatappPriceRequest,
  OneChatappPrice,
} from './prices.dto';
import { ChatappPricesService } from './prices.service';

@ApiTags('Platform operator')
@RequireOperator()
@ApiErrors(...OPERATOR_ERRORS)
@Controller('api/platform/chatapp/prices')
export class ChatappPricesController {
  constructor(private readonly prices: ChatappPricesService) {}

  @Get()
  @ApiOperation({
    operationId: 'listChatappPrices',
    summary: 'List past, current and future prices of chat-app messages',
  })
  @ApiData(ChatappPricePage)
  async list(@ValidatedQuery(ChatappPriceQuery) query: ChatappPriceQuery): Promise<ChatappPricePage> {
    const { items, next } = await this.prices.list(pageOf(query), query);
    return { prices: items.map((price) => ChatappPriceRecord.of(price)), ...nextCursor(next) };
  }

  @Post()
  @ApiOperation({
    operationId: 'createChatappPrice',
    summary: 'Set the price of a message from now or from a later time',
  })
  @ApiIdempotentBody(CreateChatappPriceRequest)
  @ApiData(OneChatappPrice, 201)
  @ApiErrors('NAME_TAKEN')
  async create(
    @JsonBody(CreateChatappPriceRequest) body: CreateChatappPriceRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneChatappPrice> {
    return { price: await this.prices.create(write, body) };
  }

  @Patch(':priceId')
  @ApiOperation({ operationId: 'changeChatappPrice', summary: 'Update a future price' })
  @ApiIdempotentBody(ChangeChatappPriceRequest)
  @ApiData(OneChatappPrice)
  @ApiErrors('NAME_TAKEN', 'STATE_CONFLICT')
  async update(
    @Param('priceId') id: string,
    @JsonBody(ChangeChatappPriceRequest) body: ChangeChatappPriceRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneChatappPrice> {
    return { price: await this.prices.update(write, id, body) };
  }

  @Delete(':priceId')
  @ApiOperation({ operationId: 'removeChatappPrice', summary: 'Delete a future price' })
  @ApiData(OneChatappPrice)
  @ApiErrors('STATE_CONFLICT')
  async remove(@Param('priceId') id: string, @CurrentWriteRequest() write: WriteRequest): Promise<OneChatappPrice> {
    return { price: await this.prices.remove(write, id) };
  }
}
