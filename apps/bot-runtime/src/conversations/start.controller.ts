import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public, requestIdOf } from '@heliograph/service-kit';
import { ChatApi, ChatRefusals } from '../chat.openapi';
import { ChatLimits } from '../limits/chat-limits';
import { readFields } from './read-fields';
import { StartAnswer } from './records.dto';
import { readStart } from './requests';
import { StartBody } from './requests.dto';
import { StartService } from './start.service';

@ChatApi('Conversations')
@Public()
@Controller('api/v1/chat/conversations')
export class StartController {
  constructor(
    private readonly starts: StartService,
    private readonly limits: ChatLimits,
  ) {}

  @Post()
  @HttpCode(201)
  @ApiOperation({ operationId: 'startConversation', summary: 'Start a conversation with a bot' })
  @ApiBody({ required: true, type: StartBody })
  @ApiResponse({ status: 201, type: StartAnswer })
  @ChatRefusals(
    'INVALID_REQUEST',
    'EMPTY_MESSAGE',
    'MESSAGE_TOO_LONG',
    'BOT_UNAVAILABLE',
    'PAYLOAD_TOO_LARGE',
    'RATE_LIMITED',
  )
  async start(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<StartAnswer> {
    await this.limits.countStart(request, response);
    const start = readStart(await readFields(request, response));
    return this.starts.start(start, {
      userAgent: request.headers['user-agent'],
      correlationId: requestIdOf(response),
    });
  }
}
