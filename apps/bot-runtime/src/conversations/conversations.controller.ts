import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { RequestId, MessagingOperation } from '@heliograph/service-kit';
import { ChatOperation, VisitorApi } from '../chat.openapi';
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
  @MessagingOperation({
    id: 'getConversation',
    summary: 'Get the conversation',

    description: 'Returns the status of the conversation of the token.',
    response: ConversationResponse,
    sample: {
      values: {
        id: {
          given:
            'id of the conversation in the response of its start; CONVERSATION_TOKEN: conversationToken of that response',
        },
      },
    },
  })
  read(@OwnConversation() conversation: ConversationState): ConversationResponse {
    return { conversation: ConversationRecord.of(conversation) };
  }

  @Post('end')
  @LimitedAs('change')
  @ChatOperation({
    id: 'endConversation',
    summary: 'End the conversation',

    description: 'A second call changes nothing: the first time and the first initiator remain.',
    response: ConversationResponse,
    errors: ['CONVERSATION_CLOSED'],
    sample: {
      values: {
        id: {
          given:
            'id of the conversation in the response of its start; CONVERSATION_TOKEN: conversationToken of that response',
        },
      },
    },
  })
  end(
    @OwnConversation() conversation: ConversationState,
    @RequestId() requestId: string,
  ): Promise<ConversationResponse> {
    return this.conversations.end(conversation, requestId);
  }

  @Post('reopen')
  @LimitedAs('change')
  @ChatOperation({
    id: 'reopenConversation',
    summary: 'Reopen an ended conversation',

    description: 'A conversation that an agent has closed or archived cannot be reopened.',
    response: ConversationResponse,
    errors: ['CONVERSATION_CLOSED'],
    sample: {
      values: {
        id: {
          given:
            'id of the conversation in the response of its start; CONVERSATION_TOKEN: conversationToken of that response',
        },
      },
    },
  })
  reopen(
    @OwnConversation() conversation: ConversationState,
    @RequestId() requestId: string,
  ): Promise<ConversationResponse> {
    return this.conversations.reopen(conversation, requestId);
  }

  @Post('feedback')
  @LimitedAs('change')
  @ChatOperation({
    id: 'rateConversation',
    summary: 'Rate the conversation, or replace an earlier rating',

    description: 'Agents see the rating in the inbox.',
    response: FeedbackResponse,
    errors: ['INVALID_REQUEST', 'INVALID_RATING', 'MESSAGE_TOO_LONG', 'PAYLOAD_TOO_LARGE'],
    sample: {
      body: { rating: 5 },
      values: {
        id: {
          given:
            'id of the conversation in the response of its start; CONVERSATION_TOKEN: conversationToken of that response',
        },
      },
    },
  })
  rate(
    @OwnConversation() conversation: ConversationState,
    @Body() request: FeedbackRequest,
    @RequestId() requestId: string,
  ): Promise<FeedbackResponse> {
    return this.conversations.rate(conversation, requestId, request);
  }
}
