import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../../http/envelope';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import {
  ChatappConsentPage,
  ChatappConsentQuery,
  OneChatappConsent,
  RecordChatappConsentRequest,
} from './consents.dto';
import { ChatappConsentsService } from './consents.service';

/** Consent records are never deleted: a send to a number without a record would imply consent. */
@ApiTags('Chat-app')
@Controller('api/organization/chatapp/consents')
export class ChatappConsentsController {
  constructor(private readonly consents: ChatappConsentsService) {}

  @Get()
  @RequirePermission('chatapp:read')
  @AccountOperation({
    id: 'listChatappConsents',
    summary: 'List consents, sorted by number',

    description: 'Contains the consents that were recorded by calls, and those by the keywords STOP and START.',
    response: ChatappConsentPage,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ChatappConsentQuery): Promise<ChatappConsentPage> {
    return this.consents.list(caller, query);
  }

  @Post()
  @RequirePermission('chatapp:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'recordChatappConsent',
    summary: 'Record an opt-in or opt-out of a number',

    description:
      'An opted-out number gets no messages: a send is 409 `RECIPIENT_OPTED_OUT`. Keep the evidence of an opt-in in `source` and `note`.',
    response: OneChatappConsent,
    errors: ['STATE_CONFLICT', 'LIMIT_REACHED'],
  })
  record(
    @CurrentCaller() caller: Caller,
    @Body() body: RecordChatappConsentRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneChatappConsent> {
    return this.consents.record(write, caller, body);
  }
}
