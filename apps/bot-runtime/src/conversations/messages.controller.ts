import { Controller, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { readIdempotencyKey } from '@heliograph/idempotency';
import { Public, requestIdOf, TakesIdempotencyKey } from '@heliograph/service-kit';
import { ChatRefusals, VisitorApi } from '../chat.openapi';
import { ChatLimits } from '../limits/chat-limits';
import { wantsStream } from '../live/sse';
import { SubmissionsService } from '../submissions/submissions.service';
import type { ConversationState } from './conversations.repository';
import { MessagesService } from './messages.service';
import { readFields } from './read-fields';
import { MessageAnswer, SubmissionAnswer } from './records.dto';
import { MessageBody, SubmissionBody } from './requests.dto';
import { StreamedAnswers } from './streamed-answers';
import { OwnConversation, VisitorGuard } from './visitor.guard';

/** Messages and form submissions of a visitor. */
@VisitorApi('Messages')
@Public()
@UseGuards(VisitorGuard)
@ApiParam({ name: 'id', format: 'uuid' })
@Controller('api/v1/chat/conversations/:id')
export class MessagesController {
  constructor(
    private readonly messages: MessagesService,
    private readonly submissions: SubmissionsService,
    private readonly streamed: StreamedAnswers,
    private readonly limits: ChatLimits,
  ) {}

  @Post('messages')
  @ApiOperation({
    operationId: 'sendMessage',
    summary: 'Send a message; the response contains the reply',
    description:
      'With Accept: text/event-stream the response is a stream: delta events with data {text} while a language model ' +
      'generates the reply, then done with the regular response body, or error with an error body.',
  })
  @TakesIdempotencyKey()
  @ApiBody({ required: true, type: MessageBody })
  @ApiResponse({
    status: 200,
    description: 'The event stream, if requested',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  @ApiResponse({ status: 201, type: MessageAnswer })
  @ChatRefusals(
    'INVALID_REQUEST',
    'EMPTY_MESSAGE',
    'MESSAGE_TOO_LONG',
    'INVALID_ACTION',
    'BOT_UNAVAILABLE',
    'CONVERSATION_CLOSED',
    'IDEMPOTENCY_KEY_REUSED',
    'IDEMPOTENCY_IN_PROGRESS',
    'PAYLOAD_TOO_LARGE',
    'RATE_LIMITED',
  )
  async send(
    @OwnConversation() conversation: ConversationState,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.limits.countMessage(conversation.id, request, response);
    const key = readIdempotencyKey(request.headers['idempotency-key']);
    const fields = await readFields(request, response);
    const call = { fields, key, correlationId: requestIdOf(response) };
    if (wantsStream(request)) {
      await this.streamed.send(request, response, (onDelta) => this.messages.send(conversation, { ...call, onDelta }));
      return;
    }
    const { body, replayed } = await this.messages.send(conversation, call);
    if (replayed) response.setHeader('Idempotent-Replayed', 'true');
    response.status(201).json(body);
  }

  @Post('forms/:formId/submissions')
  @ApiParam({ name: 'formId', description: 'Id of a form of the bot' })
  @ApiOperation({ operationId: 'submitForm', summary: 'Submit a form' })
  @TakesIdempotencyKey()
  @ApiBody({ required: true, type: SubmissionBody })
  @ApiResponse({ status: 201, type: SubmissionAnswer })
  @ChatRefusals(
    'INVALID_REQUEST',
    'INVALID_SUBMISSION',
    'NOT_FOUND',
    'BOT_UNAVAILABLE',
    'CONVERSATION_CLOSED',
    'IDEMPOTENCY_KEY_REUSED',
    'IDEMPOTENCY_IN_PROGRESS',
    'PAYLOAD_TOO_LARGE',
    'RATE_LIMITED',
  )
  async submit(
    @OwnConversation() conversation: ConversationState,
    @Param('formId') formId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.limits.countMessage(conversation.id, request, response);
    const key = readIdempotencyKey(request.headers['idempotency-key']);
    const { answers } = await readFields(request, response);
    const { body, replayed } = await this.submissions.submit(conversation, {
      ...{ formId, answers, key },
      correlationId: requestIdOf(response),
    });
    if (replayed) response.setHeader('Idempotent-Replayed', 'true');
    response.status(201).json(body);
  }
}
