import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { addressKey, readEmailAddress } from '@heliograph/addresses';
import { Idempotent, IdempotencyClaim, type Claim } from '@heliograph/idempotency';
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
import { EmailApi } from '../email-api.openapi';
import { SEND_ERRORS } from '../messages/send.controller';
import { V1BulkService } from './v1-bulk.service';
import { V1MessagesQuery } from './v1-messages.dto';
import { V1MessagesRepository } from './v1-messages.repository';
import { V1BulkResponse, V1EmailDetails, V1Emails, V1SentEmail } from './v1-records.dto';
import { V1BulkRequest, V1SendRequest } from './v1-send.dto';
import { V1SendService } from './v1-send.service';

const MAX_BODY_BYTES = 10_000_000;
/** Large enough for 1,000 recipients with many variables each. */
const MAX_BULK_VALUES = 200_000;

@EmailApi('v1', V1RouteErrors)
@Controller('api/v1/email')
export class V1MessagesController {
  constructor(
    private readonly sends: V1SendService,
    private readonly bulk: V1BulkService,
    private readonly messages: V1MessagesRepository,
    private readonly workspaces: WorkspaceDirectory,
  ) {}

  @Post('send')
  @AdmittedByService()
  @RequireScope('email:send', 'member')
  @Idempotent()
  @AcceptsBody({ maxBytes: MAX_BODY_BYTES })
  @V1Operation({
    id: 'v1SendEmail',
    summary: 'Send or schedule an email to one or many recipients',

    description:
      'With `cc` or `bcc`, all recipients get one mail; otherwise each recipient of `to` gets one. The response comes before the mail has left.',
    status: 202,
    response: V1SentEmail,
    errors: ['EMAIL_NOT_VERIFIED', ...SEND_ERRORS, 'NOT_FOUND'],
    sample: {
      body: {
        from: 'hello@demo.example',
        to: 'ann@elsewhere.example',
        template_id: 'welcome',
        variables: { name: 'Ann' },
      },
    },
  })
  send(
    @Caller() caller: Tenant,
    @Body() request: V1SendRequest,
    @RequestId() requestId: string,
    @IdempotencyClaim() claim: Claim | null,
  ): Promise<V1SentEmail> {
    return this.sends.send(caller, request, requestId, claim);
  }

  @Post('bulk')
  @RequireScope('email:send', 'member')
  @Idempotent()
  @AcceptsBody({ maxBytes: MAX_BODY_BYTES, maxValues: MAX_BULK_VALUES })
  @V1Operation({
    id: 'v1SendEmailBulk',
    summary: 'Send or schedule an email to up to 1,000 recipients with their own variables',

    description:
      'Accepted mails are charged together: if the credits do not cover all of them, nothing is sent. An invalid recipient is rejected alone.',
    status: 202,
    response: V1BulkResponse,
    errors: ['EMAIL_NOT_VERIFIED', ...SEND_ERRORS, 'NOT_FOUND'],
    sample: {
      body: {
        from: 'hello@demo.example',
        template_id: 'welcome',
        recipients: [
          { to: 'ann@elsewhere.example', variables: { name: 'Ann' } },
          { to: 'bob@elsewhere.example', variables: { name: 'Bob' } },
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
  @RequireScope('email:read')
  @V1Operation({
    id: 'v1ListEmails',
    summary: 'List emails, newest first',

    description: 'Filter by status, recipient, tag, campaign, your reference or time.',
    response: V1Emails,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  })
  async list(@Caller() caller: Tenant, @Query() query: V1MessagesQuery): Promise<V1Emails> {
    const { to, workspace_id, campaign_id, sender_id, status, tag, reference, from, until } = query;
    const workspaceId = (await this.workspaces.chosen(caller, workspace_id)) ?? undefined;
    const filter = {
      status,
      tag,
      reference,
      from,
      until,
      campaignId: campaign_id,
      workspaceId,
      senderId: sender_id,
      to: to === undefined ? undefined : addressKey(readEmailAddress(to) ?? to),
    };
    return v1List(await this.messages.list(caller, filter, pageOf(query)), (email) => email);
  }

  @Get('messages/:id')
  @RequireScope('email:read')
  @V1Operation({
    id: 'v1GetEmail',
    summary: 'Get an email with its recipients and their events',

    description: 'Each recipient has a status and events of its own.',
    response: V1EmailDetails,
    errors: ['NOT_FOUND'],
    sample: { values: { id: { create: '/api/v1/email/send' } } },
  })
  async get(@Caller() caller: Tenant, @Param('id') id: string): Promise<V1EmailDetails> {
    const email = await this.messages.find(caller, id);
    if (!email) throw v1NotFound('email');
    return email;
  }
}
