import { Body, Controller, Headers, Post } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { AcceptsBody, ClientAddress, Public, RequestId } from '@heliograph/service-kit';
import { ChatApi, ChatApiErrors } from '../chat.openapi';
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
  @ApiOperation({ operationId: 'startConversation', summary: 'Start a conversation with a bot' })
  @ApiHeader({
    name: 'User-Agent',
    required: false,
    description: 'Used to detect the browser and the operating system of the visitor',
  })
  @AcceptsBody({ json: normalizeStart })
  @ApiResponse({ status: 201, type: StartResponse })
  @ChatApiErrors('INVALID_REQUEST', 'EMPTY_MESSAGE', 'MESSAGE_TOO_LONG', 'BOT_UNAVAILABLE', 'PAYLOAD_TOO_LARGE')
  start(
    @Body() request: StartRequest,
    @RequestId() correlationId: string,
    @ClientAddress() clientAddress: string | null,
    @Headers('user-agent') userAgent?: string,
  ): Promise<StartResponse> {
    return this.starts.start(request, { userAgent, correlationId, clientAddress });
  }
}
