import { Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public, queryStringOf, requestIdOf } from '@heliograph/service-kit';
import { ChatRefusals, VisitorApi } from '../chat.openapi';
import type { ConversationState } from './conversations.repository';
import { ConversationsService } from './conversations.service';
import { MessagesService } from './messages.service';
import { readFields } from './read-fields';
import { ConversationAnswer, ConversationRecord, FeedbackAnswer, Transcript } from './records.dto';
import { readFeedback } from './requests';
import { FeedbackBody } from './requests.dto';
import { readTranscriptPage } from './transcript-page';
import { OwnConversation, VisitorGuard } from './visitor.guard';

@VisitorApi('Conversations')
@Public()
@UseGuards(VisitorGuard)
@ApiParam({ name: 'id', format: 'uuid' })
@Controller('api/v1/chat/conversations/:id')
export class ConversationsController {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly messages: MessagesService,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'getConversation', summary: 'Get the conversation' })
  @ApiResponse({ status: 200, type: ConversationAnswer })
  read(@OwnConversation() conversation: ConversationState): ConversationAnswer {
    return { conversation: ConversationRecord.of(conversation) };
  }

  @Get('messages')
  @ApiOperation({ operationId: 'getTranscript', summary: 'List the messages of the conversation, oldest first' })
  @ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
  })
  @ApiQuery({ name: 'cursor', required: false, type: String, description: 'The nextCursor of the previous page' })
  @ApiResponse({ status: 200, type: Transcript })
  @ChatRefusals('INVALID_REQUEST')
  transcript(@OwnConversation() conversation: ConversationState, @Req() request: Request): Promise<Transcript> {
    return this.messages.transcript(conversation, readTranscriptPage(conversation.id, queryStringOf(request)));
  }

  @Post('end')
  @HttpCode(200)
  @ApiOperation({ operationId: 'endConversation', summary: 'End the conversation; idempotent' })
  @ApiResponse({ status: 200, type: ConversationAnswer })
  @ChatRefusals('CONVERSATION_CLOSED')
  end(
    @OwnConversation() conversation: ConversationState,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ConversationAnswer> {
    return this.conversations.end(conversation, requestIdOf(response));
  }

  @Post('reopen')
  @HttpCode(200)
  @ApiOperation({ operationId: 'reopenConversation', summary: 'Reopen an ended conversation' })
  @ApiResponse({ status: 200, type: ConversationAnswer })
  @ChatRefusals('CONVERSATION_CLOSED')
  reopen(
    @OwnConversation() conversation: ConversationState,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ConversationAnswer> {
    return this.conversations.reopen(conversation, requestIdOf(response));
  }

  @Post('feedback')
  @HttpCode(200)
  @ApiOperation({ operationId: 'rateConversation', summary: 'Rate the conversation; replaces an earlier rating' })
  @ApiBody({ required: true, type: FeedbackBody })
  @ApiResponse({ status: 200, type: FeedbackAnswer })
  @ChatRefusals('INVALID_REQUEST', 'INVALID_RATING', 'MESSAGE_TOO_LONG', 'PAYLOAD_TOO_LARGE')
  async feedback(
    @OwnConversation() conversation: ConversationState,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FeedbackAnswer> {
    const rating = readFeedback(await readFields(request, response));
    return this.conversations.rate(conversation, requestIdOf(response), rating);
  }
}
