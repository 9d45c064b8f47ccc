import { Controller, Delete, Get, Inject, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireOperator } from '../access/access.decorators';
import { Answers, OPERATOR_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBodyOnce } from '../http/json-body';
import { ToWrite, type WriteCall } from '../writes/writes.service';
import { OneChatappSending, SetChatappSendingRequest } from './sending.dto';
import { ChatappSendingService } from './sending.service';

@ApiTags('Platform operator')
@RequireOperator()
@RefusesWith(...OPERATOR_REFUSALS)
@Controller('api/platform/chatapp/sending')
export class ChatappSendingController {
  constructor(@Inject(ChatappSendingService) private readonly sending: ChatappSendingService) {}

  @Get()
  @ApiOperation({ operationId: 'getChatappSending', summary: 'Whether chat-app messages leave, and who says so' })
  @Answers(OneChatappSending)
  async get(): Promise<OneChatappSending> {
    return { sending: await this.sending.get() };
  }

  @Put()
  @ApiOperation({ operationId: 'setChatappSending', summary: 'Stops all chat-app sends, or lets them go on' })
  @TakesBodyOnce(SetChatappSendingRequest)
  @Answers(OneChatappSending)
  async set(
    @JsonBody(SetChatappSendingRequest) { enabled }: SetChatappSendingRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneChatappSending> {
    return { sending: await this.sending.set(call, enabled) };
  }

  @Delete()
  @ApiOperation({ operationId: 'unsetChatappSending', summary: 'Gives the decision back to the setting' })
  @Answers(OneChatappSending)
  async unset(@ToWrite() call: WriteCall): Promise<OneChatappSending> {
    return { sending: await this.sending.set(call, null) };
  }
}
