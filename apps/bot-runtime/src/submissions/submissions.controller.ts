import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { IdempotencyClaim, Idempotent, type Claim } from '@heliograph/idempotency';
import { AcceptsBody, ClientAddress, RequestId } from '@heliograph/service-kit';
import { ChatOperation, VisitorApi } from '../chat.openapi';
import type { ConversationState } from '../visitors/conversations.repository';
import { OwnConversation, RequireConversation } from '../visitors/visitor.guard';
import { LimitedAs } from '../limits/limited-as';
import { SubmissionsService } from './submissions.service';
import { normalizeSubmitForm, SubmitFormRequest, SubmitFormResponse } from './submit-form.dto';

@VisitorApi('Messages')
@RequireConversation()
@ApiParam({ name: 'id', format: 'uuid' })
@Controller('api/v1/chat/conversations/:id/forms/:formId/submissions')
export class SubmissionsController {
  constructor(private readonly submissions: SubmissionsService) {}

  @Post()
  @LimitedAs('message')
  @ApiParam({ name: 'formId', description: 'Id of the form' })
  @ChatOperation({
    id: 'submitForm',
    summary: 'Submit a form',

    description:
      'Invalid fields are reported together with what is expected. A form with an email address or a phone number creates a contact.',
    status: 201,
    response: SubmitFormResponse,
    errors: [
      'INVALID_REQUEST',
      'INVALID_SUBMISSION',
      'NOT_FOUND',
      'BOT_UNAVAILABLE',
      'CONVERSATION_CLOSED',
      'IDEMPOTENCY_KEY_REUSED',
      'IDEMPOTENCY_IN_PROGRESS',
      'PAYLOAD_TOO_LARGE',
    ],
    sample: {
      body: { answers: { name: 'Ann', email: 'ann@elsewhere.example', topic: 'An order' } },
      values: {
        id: {
          given:
            'id of the conversation in the response of its start; CONVERSATION_TOKEN: conversationToken of that response',
        },
        formId: 'lead',
      },
    },
  })
  @AcceptsBody({ json: normalizeSubmitForm })
  @Idempotent({ endpoint: 'bot.submission', params: ['formId'] })
  submit(
    @OwnConversation() conversation: ConversationState,
    @Param('formId') formId: string,
    @Body() { answers }: SubmitFormRequest,
    @RequestId() correlationId: string,
    @ClientAddress() clientAddress: string | null,
    @IdempotencyClaim() claim: Claim | null,
  ): Promise<SubmitFormResponse> {
    return this.submissions.submit(conversation, { formId, answers }, { correlationId, clientAddress, claim });
  }
}
