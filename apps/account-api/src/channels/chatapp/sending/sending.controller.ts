import { Body, Controller, Delete, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequireOperator } from '../../../access/access.decorators';
import { ApiData, IdempotentWrite } from '../../../http/envelope';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import { OneChatappSending, SetChatappSendingRequest } from './sending.dto';
import { Sample } from '@heliograph/service-kit';
import { ChatappSendingService } from './sending.service';

@ApiTags('Platform operator')
@RequireOperator()
@Controller('api/platform/chatapp/sending')
export class ChatappSendingController {
  constructor(private readonly sending: ChatappSendingService) {}

  @Get()
  @ApiOperation({ operationId: 'getChatappSending', summary: 'Get the state of chat-app sending and its source' })
  @ApiData(OneChatappSending)
  get(): Promise<OneChatappSending> {
    return this.sending.get();
  }

  @Put()
  @Sample({ body: { enabled: true } })
  @ApiOperation({ operationId: 'setChatappSending', summary: 'Enable or disable all chat-app sending' })
  @IdempotentWrite()
  @ApiData(OneChatappSending)
  set(@Body() { enabled }: SetChatappSendingRequest, @CurrentWrite() write: Write): Promise<OneChatappSending> {
    return this.sending.set(write, enabled);
  }

  @Delete()
  @ApiOperation({
    operationId: 'unsetChatappSending',
    summary: 'Remove the override, so that the configuration applies again',
  })
  @IdempotentWrite()
  @ApiData(OneChatappSending)
  unset(@CurrentWrite() write: Write): Promise<OneChatappSending> {
    return this.sending.set(write, null);
  }
}
