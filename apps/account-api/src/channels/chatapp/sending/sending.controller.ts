import { Body, Controller, Delete, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequireOperator } from '../../../access/access.decorators';
import { AccountOperation, IdempotentWrite } from '../../../http/envelope';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import { OneChatappSending, SetChatappSendingRequest } from './sending.dto';
import { ChatappSendingService } from './sending.service';

@ApiTags('Platform operator')
@RequireOperator()
@Controller('api/platform/chatapp/sending')
export class ChatappSendingController {
  constructor(private readonly sending: ChatappSendingService) {}

  @Get()
  @AccountOperation({
    id: 'getChatappSending',
    summary: 'Get the state of chat-app sending and its source',
    description: 'An override by the operator precedes the configuration.',
    response: OneChatappSending,
  })
  get(): Promise<OneChatappSending> {
    return this.sending.get();
  }

  @Put()
  @IdempotentWrite()
  @AccountOperation({
    id: 'setChatappSending',
    summary: 'Enable or disable all chat-app sending',
    description: 'While sending is disabled, sends of all organizations are 503 `CHATAPP_DISABLED`.',
    response: OneChatappSending,
    sample: { body: { enabled: true } },
  })
  set(@Body() { enabled }: SetChatappSendingRequest, @CurrentWrite() write: Write): Promise<OneChatappSending> {
    return this.sending.set(write, enabled);
  }

  @Delete()
  @IdempotentWrite()
  @AccountOperation({
    id: 'unsetChatappSending',
    summary: 'Remove the override, so that the configuration applies again',
    description: 'Sending is as configured afterwards.',
    response: OneChatappSending,
  })
  unset(@CurrentWrite() write: Write): Promise<OneChatappSending> {
    return this.sending.set(write, null);
  }
}
