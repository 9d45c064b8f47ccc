import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import { RequestId, Sample } from '@heliograph/service-kit';
import { ChatApiErrors, VisitorApi } from '../chat.openapi';
import { ConversationRecord, ConversationResponse, FeedbackRequest, FeedbackResponse } from './conversation.dto';
import type { ConversationState } from '../visitors/conversations.repository';
import { ConversationsService } from './conversations.service';
import { LimitedAs } from '../limits/limited-as';
import { OwnConversation, RequireConversation } from '../visitors/visitor.guard';

@VisitorApi('Conversations')
@RequireConversation()
@ApiParam({ name: 'id', format: 'uuid' })
@Controller('api/v1/chat/conversations/:id')
export class ConversationsController {
  constructor(private readonly conversations: ConversationsService) {}

  @Get()
  @LimitedAs('read')
  @Sample({
    values: {
      id: {
        given:
          'id of the conversation in the response of its start; CONVERSATION_TOKEN: conversationToken of that response',
      },
    },
  })
  @ApiOperation({ operationId: 'getConversation', summary: 'Get the conversation' })
  @ApiResponse({ status: 200, type: ConversationResponse })
  read(@OwnConversation() conversation: ConversationState): ConversationResponse {
    return { conversation: ConversationRecord.of(conversation) };
  }

  @Post('end')
  @LimitedAs('change')
  @HttpCode(200)
  @Sample({
    values: {
      id: {
        given:
          'id of the conversation in the response of its start; CONVERSATION_TOKEN: conversationToken of that response',
      },
    },
  })
  @ApiOperation({ operationId: 'endConversation', summary: 'End the conversation' })
  @ApiResponse({ status: 200, type: ConversationResponse })
  @ChatApiErrors('CONVERSATION_CLOSED')
  end(
    @OwnConversation() conversation: ConversationState,
    @RequestId() requestId: string,
  ): Promise<ConversationResponse> {
    return this.conversations.end(conversation, requestId);
  }

  @Post('reopen')
  @LimitedAs('change')
  @HttpCode(200)
  @Sample({
    values: {
      id: {
        given:
          'id of the conversation in the response of its start; CONVERSATION_TOKEN: conversationToken of that response',
      },
    },
  })
  @ApiOperation({ operationId: 'reopenConversation', summary: 'Reopen an ended conversation' })
  @ApiResponse({ status: 200, type: ConversationResponse })
  @ChatApiErrors('CONVERSATION_CLOSED')
  reopen(
    @OwnConversation() conversation: ConversationState,
    @RequestId() requestId: string,
  ): Promise<ConversationResponse> {
    return this.conversations.reopen(conversation, requestId);
  }

  @Post('feedback')
  @LimitedAs('change')
  @HttpCode(200)
  @Sample({
    body: { rating: 5 },
    values: {
      id: {
        given:
          'id of the conversation in the response of its start; CONVERSATION_TOKEN: conversationToken of that response',
      },
    },
  })
  @ApiOperation({ operationId: 'rateConversation', summary: 'Rate the conversation, or replace an earlier rating' })
  @ApiResponse({ status: 200, type: FeedbackResponse })
  @ChatApiErrors('INVALID_REQUEST', 'INVALID_RATING', 'MESSAGE_TOO_LONG', 'PAYLOAD_TOO_LARGE')
  rate(
    @OwnConversation() conversation: ConversationState,
    @Body() request: FeedbackRequest,
    @RequestId() requestId: string,
  ): Promise<FeedbackResponse> {
    return this.conversations.rate(conversation, requestId, request);
  }
}
