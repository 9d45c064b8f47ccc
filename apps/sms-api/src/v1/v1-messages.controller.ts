import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { Idempotent, IdempotencyClaim, type Claim } from '@heliograph/idempotency';
import { parseRecipient } from '@heliograph/addresses';
import {
  AcceptsBody,
  AdmittedByService,
  pageOf,
  RequestId,
  v1List,
  v1NotFound,
  V1RouteErrors,
  V1Operation,
} from '@heliograph/service-kit';
import { WorkspaceDirectory } from '@heliograph/tenancy';
import { SEND_ERRORS } from '../messages/send.controller';
import { SmsApi } from '../sms-api.openapi';
import { V1BulkService } from './v1-bulk.service';
import { V1MessagesQuery, V1SmsMessages } from './v1-messages.dto';
import { V1MessagesRepository } from './v1-messages.repository';
import { V1BulkRequest, V1BulkResponse, V1SendRequest, V1SentSms, V1SmsMessage } from './v1-send.dto';
import { V1SendService } from './v1-send.service';

/** Large enough for 1,000 recipients with their own variables and text. */
const MAX_BULK_BYTES = 5_000_000;
/** Large enough for 1,000 recipients with many variables each. */
const MAX_BULK_VALUES = 200_000;

@SmsApi('v1', V1RouteErrors)
@Controller('api/v1/sms')
export class V1MessagesController {
  constructor(
    private readonly sends: V1SendService,
    private readonly bulk: V1BulkService,
    private readonly messages: V1MessagesRepository,
    private readonly workspaces: WorkspaceDirectory,
  ) {}

  @Post('send')
  @AdmittedByService()
  @RequireScope('sms:send', 'member')
  @Idempotent()
  @V1Operation({
    id: 'v1SendSms',
    summary: 'Send or schedule a message',

    description:
      'Credits are charged when the message is accepted. The response comes before the message has left; webhooks report what follows.',
    status: 202,
    response: V1SentSms,
    errors: ['EMAIL_NOT_VERIFIED', ...SEND_ERRORS, 'TEMPLATE_NOT_MATCHED', 'NOT_FOUND'],
    sample: { body: { to: '+919876543210', sender_id: 'DEMOIN', template_id: 'otp', variables: { code: '123456' } } },
  })
  send(
    @Caller() caller: Tenant,
    @Body() request: V1SendRequest,
    @RequestId() requestId: string,
    @IdempotencyClaim() claim: Claim | null,
  ): Promise<V1SentSms> {
    return this.sends.send(caller, request, requestId, claim);
  }

  @Post('bulk')
  @RequireScope('sms:send', 'member')
  @Idempotent()
  @AcceptsBody({ maxBytes: MAX_BULK_BYTES, maxValues: MAX_BULK_VALUES })
  @V1Operation({
    id: 'v1SendSmsBulk',
    summary: 'Send or schedule a message to up to 1,000 recipients',

    description:
      'Accepted messages are charged together: if the credits do not cover all of them, nothing is sent. An invalid recipient is rejected alone.',
    status: 202,
    response: V1BulkResponse,
    errors: ['EMAIL_NOT_VERIFIED', ...SEND_ERRORS, 'TEMPLATE_NOT_MATCHED', 'NOT_FOUND'],
    sample: {
      body: {
        sender_id: 'DEMOIN',
        template_id: 'otp',
        recipients: [
          { to: '+919876543210', variables: { code: '123456' } },
          { to: '+918123456790', variables: { code: '654321' } },
        ],
      },
    },
  })
  sendBulk(
    @Caller() caller: Tenant,
    @Body() request: V1BulkRequest,
    @RequestId() requestId: string,
    @IdempotencyClaim() claim: Claim | null,
  ): Promise<V1BulkResponse> {
    return this.bulk.send(caller, request, requestId, claim);
  }

  @Get('messages')
  @RequireScope('sms:read')
  @V1Operation({
    id: 'v1ListSms',
    summary: 'List messages, newest first',

    description: 'Filter by status, recipient, sender, campaign, your reference or time.',
    response: V1SmsMessages,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  })
  async list(@Caller() caller: Tenant, @Query() query: V1MessagesQuery): Promise<V1SmsMessages> {
    const { to, workspace_id, ...filter } = query;
    const recipient = to === undefined ? undefined : parseRecipient(to)?.e164;
    const workspaceId = await this.workspaces.chosen(caller, workspace_id);
    const found = await this.messages.list(
      caller,
      { ...filter, recipient, workspace_id: workspaceId ?? undefined },
      pageOf(query),
    );
    return v1List(found, (message) => message);
  }

  @Get('delivery/:id')
  @RequireScope('sms:read')
  @V1Operation({
    id: 'v1GetSms',
    summary: 'Get a message and its status',

    description: 'Use webhooks to learn of changes. The timeline of the message contains every step.',
    response: V1SmsMessage,
    errors: ['NOT_FOUND'],
    sample: { values: { id: { create: '/api/v1/sms/send' } } },
  })
  async get(@Caller() caller: Tenant, @Param('id') id: string): Promise<V1SmsMessage> {
    const message = await this.messages.find(caller, id);
    if (!message) throw v1NotFound('message');
    return message;
  }
}
