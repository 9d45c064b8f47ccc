import { Controller, Delete, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireOperator } from '../access/access.decorators';
import { ApiData, OPERATOR_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../http/json-body';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { OneChatappSending, SetChatappSendingRequest } from './sending.dto';
import { ChatappSendingService } from './sending.service';

@ApiTags('Platform operator')
@RequireOperator()
@ApiErrors(...OPERATOR_ERRORS)
@Controller('api/platform/chatapp/sending')
export class ChatappSendingController {
  constructor(private readonly sending: ChatappSendingService) {}

  @Get()
  @ApiOperation({ operationId: 'getChatappSending', summary: 'Get the state of chat-app sending and its source' })
  @ApiData(OneChatappSending)
  async get(): Promise<OneChatappSending> {
    return { sending: await this.sending.get() };
  }

  @Put()
  @ApiOperation({ operationId: 'setChatappSending', summary: 'Stop or resume all chat-app sending' })
  @ApiIdempotentBody(SetChatappSendingRequest)
  @ApiData(OneChatappSending)
  async set(
    @JsonBody(SetChatappSendingRequest) { enabled }: SetChatappSendingRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneChatappSending> {
    return { sending: await this.sending.set(write, enabled) };
  }

  @Delete()
  @ApiOperation({
    operationId: 'unsetChatappSending',
    summary: 'Remove the override, so that the configuration applies again',
  })
  @ApiData(OneChatappSending)
  async unset(@CurrentWriteRequest() write: WriteRequest): Promise<OneChatappSending> {
    return { sending: await this.sending.set(write, null) };
  }
}
