import { Body, Controller, Get, Post, Query, UseInterceptors } from '@nestjs/common';
import { ApiParam, ApiResponse } from '@nestjs/swagger';
import { IdempotencyClaim, Idempotent, type Claim } from '@heliograph/idempotency';
import { AcceptsBody, AdmittedByService, ClientAddress, RequestId } from '@heliograph/service-kit';
import { ChatOperation, VisitorApi } from '../chat.openapi';
import type { ConversationState } from '../visitors/conversations.repository';
import { OwnConversation, RequireConversation } from '../visitors/visitor.guard';
import { LimitedAs } from '../limits/limited-as';
import { MessagesService } from './messages.service';
import { normalizeSendMessage, SendMessageRequest, SendMessageResponse } from './send-message.dto';
import { OnDelta, StreamedReplyInterceptor } from './streamed-reply.interceptor';
import { Transcript, TranscriptQuery } from './transcript.dto';

@VisitorApi('Messages')
@RequireConversation()
@ApiParam({ name: 'id', format: 'uuid' })
@Controller('api/v1/chat/conversations/:id/messages')
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Get()
  @LimitedAs('read')
  @ChatOperation({
    id: 'getTranscript',
    summary: 'List the messages of the conversation, oldest first',

    description: 'Contains the messages of the visitor, the bot and agents, with their forms and buttons.',
    response: Transcript,
    errors: ['INVALID_REQUEST'],
    sample: {
      values: {
        id: {
          given:
            'id of the conversation in the response of its start; CONVERSATION_TOKEN: conversationToken of that response',
        },
      },
    },
  })
  transcript(@OwnConversation() conversation: ConversationState, @Query() query: TranscriptQuery): Promise<Transcript> {
    return this.messages.transcript(conversation, query);
  }

  @Post()
  @AdmittedByService()
  @LimitedAs('message')
  @ApiResponse({
    status: 200,
    description: 'The event stream, if the request accepts `text/event-stream`',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  @ApiResponse({ status: 201, type: SendMessageResponse })
  @ChatOperation({
    id: 'sendMessage',
    summary: 'Send a message and get the reply',
    description:
      'If the request has the header `Accept: text/event-stream`, the response is an event stream. It contains `delta` events with `{text}` while a language model ' +
      'generates the reply, and ends with a `done` event with the regular response body, or with an `error` event with an error body.',
    errors: [
      'INVALID_REQUEST',
      'EMPTY_MESSAGE',
      'MESSAGE_TOO_LONG',
      'INVALID_ACTION',
      'BOT_UNAVAILABLE',
      'CONVERSATION_CLOSED',
      'IDEMPOTENCY_KEY_REUSED',
      'IDEMPOTENCY_IN_PROGRESS',
      'PAYLOAD_TOO_LARGE',
    ],
    sample: {
      body: { message: 'When are you open?' },
      values: {
        id: {
          given:
            'id of the conversation in the response of its start; CONVERSATION_TOKEN: conversationToken of that response',
        },
      },
    },
  })
  @AcceptsBody({ json: normalizeSendMessage })
  @Idempotent('bot.message')
  @UseInterceptors(StreamedReplyInterceptor)
  send(
    @OwnConversation() conversation: ConversationState,
    @Body() request: SendMessageRequest,
    @RequestId() correlationId: string,
    @ClientAddress() clientAddress: string | null,
    @IdempotencyClaim() claim: Claim | null,
    @OnDelta() onDelta?: (text: string) => void,
  ): Promise<SendMessageResponse> {
    return this.messages.send(conversation, request, { correlationId, clientAddress, claim, onDelta });
  }
}
