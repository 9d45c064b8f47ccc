import { Controller, Delete, Get, Inject, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireOperator } from '../access/access.decorators';
import { Answers, OPERATOR_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBodyOnce } from '../http/json-body';
import { nextCursor, pageOf, QueryOf } from '../http/query';
import { ToWrite, type WriteCall } from '../writes/writes.service';
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
@RefusesWith(...OPERATOR_REFUSALS)
@Controller('api/platform/chatapp/prices')
export class ChatappPricesController {
  constructor(@Inject(ChatappPricesService) private readonly prices: ChatappPricesService) {}

  @Get()
  @ApiOperation({ operationId: 'listChatappPrices', summary: 'What chat-app messages cost, have cost and will cost' })
  @Answers(ChatappPricePage)
  async list(@QueryOf(ChatappPriceQuery) query: ChatappPriceQuery): Promise<ChatappPricePage> {
    const { items, next } = await this.prices.list(pageOf(query), query);
    return { prices: items.map((price) => ChatappPriceRecord.of(price)), ...nextCursor(next) };
  }

  @Post()
  @ApiOperation({ operationId: 'createChatappPrice', summary: 'Sets what a message costs, from now or a moment on' })
  @TakesBodyOnce(CreateChatappPriceRequest)
  @Answers(OneChatappPrice, 201)
  @RefusesWith('NAME_TAKEN')
  async create(
    @JsonBody(CreateChatappPriceRequest) asked: CreateChatappPriceRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneChatappPrice> {
    return { price: await this.prices.create(call, asked) };
  }

  @Patch(':priceId')
  @ApiOperation({ operationId: 'changeChatappPrice', summary: 'Changes a price that is to come' })
  @TakesBodyOnce(ChangeChatappPriceRequest)
  @Answers(OneChatappPrice)
  @RefusesWith('NAME_TAKEN', 'STATE_CONFLICT')
  async change(
    @Param('priceId') id: string,
    @JsonBody(ChangeChatappPriceRequest) asked: ChangeChatappPriceRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneChatappPrice> {
    return { price: await this.prices.change(call, id, asked) };
  }

  @Delete(':priceId')
  @ApiOperation({ operationId: 'removeChatappPrice', summary: 'Removes a price that is to come' })
  @Answers(OneChatappPrice)
  @RefusesWith('STATE_CONFLICT')
  async remove(@Param('priceId') id: string, @ToWrite() call: WriteCall): Promise<OneChatappPrice> {
    return { price: await this.prices.remove(call, id) };
  }
}
