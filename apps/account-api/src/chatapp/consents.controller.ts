import { Controller, Get, Inject, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { InOrganization } from '../access/access.decorators';
import { ByCaller, type Caller } from '../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBodyOnce } from '../http/json-body';
import { nextCursor, pageOf, QueryOf } from '../http/query';
import { ToWrite, type WriteCall } from '../writes/writes.service';
import {
  ChatappConsentPage,
  ChatappConsentQuery,
  ChatappConsentRecord,
  OneChatappConsent,
  RecordChatappConsentRequest,
} from './consents.dto';
import { ChatappConsentsService } from './consents.service';

/** A record is never removed: to a number without one, a send itself would count as its consent. */
@ApiTags('Chat-app')
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/organization/chatapp/consents')
export class ChatappConsentsController {
  constructor(@Inject(ChatappConsentsService) private readonly consents: ChatappConsentsService) {}

  @Get()
  @InOrganization('chatapp:read')
  @ApiOperation({ operationId: 'listChatappConsents', summary: 'Who may be written to, in the order of the numbers' })
  @Answers(ChatappConsentPage)
  async list(
    @ByCaller() caller: Caller,
    @QueryOf(ChatappConsentQuery) query: ChatappConsentQuery,
  ): Promise<ChatappConsentPage> {
    const { items, next } = await this.consents.list(caller, pageOf(query), query);
    return { consents: items.map((consent) => ChatappConsentRecord.of(consent)), ...nextCursor(next) };
  }

  @Post()
  @InOrganization('chatapp:write')
  @ApiOperation({ operationId: 'recordChatappConsent', summary: 'Records whether a number may be written to' })
  @TakesBodyOnce(RecordChatappConsentRequest)
  @Answers(OneChatappConsent)
  @RefusesWith('STATE_CONFLICT')
  async record(
    @ByCaller() caller: Caller,
    @JsonBody(RecordChatappConsentRequest) asked: RecordChatappConsentRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneChatappConsent> {
    return { consent: await this.consents.record(call, caller, asked) };
  }
}
