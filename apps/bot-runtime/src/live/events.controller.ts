import type { ServerResponse } from 'node:http';
import { Controller, Get, Head, Headers, Ip, Query, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiHeader, ApiParam, ApiResponse } from '@nestjs/swagger';
import { AppError } from '@heliograph/errors';
import { AdmittedByService, networkOf } from '@heliograph/service-kit';
import { ChatOperation, VisitorApi } from '../chat.openapi';
import { LimitedAs } from '../limits/limited-as';
import type { ConversationState } from '../visitors/conversations.repository';
import { OwnConversation, RequireConversation } from '../visitors/visitor.guard';
import { EventsQuery } from './events.query';
import { EventStreamsService } from './event-streams.service';

@VisitorApi('Messages')
@RequireConversation()
@ApiParam({ name: 'id', format: 'uuid' })
@Controller('api/v1/chat/conversations/:id/events')
export class EventsController {
  constructor(private readonly streams: EventStreamsService) {}

  /** Without this route, Express would pass HEAD requests to the GET handler and keep the connection open. */
  @Head()
  @ApiExcludeEndpoint()
  head(): never {
    throw new AppError('METHOD_NOT_ALLOWED', 'Use GET on this path.', { headers: { Allow: 'GET' } });
  }

  @Get()
  @AdmittedByService()
  @LimitedAs('read')
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'Id of the last received message. It takes precedence over `after`',
  })
  @ApiResponse({ status: 200, content: { 'text/event-stream': { schema: { type: 'string' } } } })
  @ChatOperation({
    id: 'streamEvents',
    summary: 'Stream new messages and changes of the conversation as Server-Sent Events',
    description:
      'The event `message` contains `{message}`, and its event id is the id of the message. Every message is sent once, in order. ' +
      'The event `conversation` contains `{conversation, paused}`: first the current state, then every change. A comment is sent at least every 15 seconds.',
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
  async stream(
    @OwnConversation() conversation: ConversationState,
    @Query() { after }: EventsQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Ip() ip: string | undefined,
    // The response is used directly, because Nest's `@Sse()` supports neither heartbeats nor back-pressure.
    @Res() response: ServerResponse,
  ): Promise<void> {
    // A client that reconnects sends the header, but its URL still contains the original position.
    const seq = await this.streams.startOf(conversation, lastEventId || after || undefined);
    const network = networkOf(ip);
    this.streams.assertRoom(conversation, network);
    this.streams.open(conversation, { response, network, seq });
  }
}
