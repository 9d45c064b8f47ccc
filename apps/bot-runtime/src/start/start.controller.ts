import { Body, Controller, Headers, Post } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { AcceptsBody, ClientAddress, Public, RequestId } from '@heliograph/service-kit';
import { ChatOperation, ChatApi } from '../chat.openapi';
import { LimitedAs } from '../limits/limited-as';
import { normalizeStart, StartRequest, StartResponse } from './start.dto';
import { StartService } from './start.service';

@ChatApi('Conversations')
@Public()
@Controller('api/v1/chat/conversations')
export class StartController {
  constructor(private readonly starts: StartService) {}

  @Post()
  @LimitedAs('start')
  @ApiHeader({
    name: 'User-Agent',
    required: false,
    description: 'Used to detect the browser and the operating system of the visitor',
  })
  @AcceptsBody({ json: normalizeStart })
  @ChatOperation({
    id: 'startConversation',
    summary: 'Start a conversation with a bot',

    description:
      'Returns the token for all further calls of the conversation. With `message`, it contains the first reply as well.',
    status: 201,
    response: StartResponse,
    errors: ['INVALID_REQUEST', 'EMPTY_MESSAGE', 'MESSAGE_TOO_LONG', 'BOT_UNAVAILABLE', 'PAYLOAD_TOO_LARGE'],
  })
  start(
    @Body() request: StartRequest,
    @RequestId() correlationId: string,
    @ClientAddress() clientAddress: string | null,
    @Headers('user-agent') userAgent?: string,
  ): Promise<StartResponse> {
    return this.starts.start(request, { userAgent, correlationId, clientAddress });
  }
}
