import { Controller, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../access/access.decorators';
import { CurrentCaller, type Caller } from '../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../http/json-body';
import { nextCursor, pageOf, ValidatedQuery } from '../http/query';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import {
  ChatappConsentPage,
  ChatappConsentQuery,
  ChatappConsentRecord,
  OneChatappConsent,
  RecordChatappConsentRequest,
} from './consents.dto';
import { ChatappConsentsService } from './consents.service';

/** Consent records are never deleted: a send to a number without a record would imply consent. */
@ApiTags('Chat-app')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/organization/chatapp/consents')
export class ChatappConsentsController {
  constructor(private readonly consents: ChatappConsentsService) {}

  @Get()
  @RequirePermission('chatapp:read')
  @ApiOperation({ operationId: 'listChatappConsents', summary: 'List consents, sorted by number' })
  @ApiData(ChatappConsentPage)
  async list(
    @CurrentCaller() caller: Caller,
    @ValidatedQuery(ChatappConsentQuery) query: ChatappConsentQuery,
  ): Promise<ChatappConsentPage> {
    const { items, next } = await this.consents.list(caller, pageOf(query), query);
    return { consents: items.map((consent) => ChatappConsentRecord.of(consent)), ...nextCursor(next) };
  }

  @Post()
  @RequirePermission('chatapp:write')
  @ApiOperation({ operationId: 'recordChatappConsent', summary: 'Record an opt-in or opt-out of a number' })
  @ApiIdempotentBody(RecordChatappConsentRequest)
  @ApiData(OneChatappConsent)
  @ApiErrors('STATE_CONFLICT')
  async record(
    @CurrentCaller() caller: Caller,
    @JsonBody(RecordChatappConsentRequest) body: RecordChatappConsentRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneChatappConsent> {
    return { consent: await this.consents.record(write, caller, body) };
  }
}
