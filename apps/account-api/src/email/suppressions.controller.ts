import { Controller, Delete, Get, Inject, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { InOrganization } from '../access/access.decorators';
import { ByCaller, type Caller } from '../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBodyOnce } from '../http/json-body';
import { nextCursor, pageOf, QueryOf } from '../http/query';
import { ToWrite, type WriteCall } from '../writes/writes.service';
import {
  CreateEmailSuppressionRequest,
  EmailSuppressionPage,
  EmailSuppressionQuery,
  EmailSuppressionRecord,
  OneEmailSuppression,
} from './suppressions.dto';
import { EmailSuppressionsService } from './suppressions.service';

@ApiTags('Email')
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/organization/email/suppressions')
export class EmailSuppressionsController {
  constructor(@Inject(EmailSuppressionsService) private readonly suppressions: EmailSuppressionsService) {}

  @Get()
  @InOrganization('email:read')
  @ApiOperation({
    operationId: 'listEmailSuppressions',
    summary: 'Whom no mail is sent to, in the order of the addresses',
  })
  @Answers(EmailSuppressionPage)
  async list(
    @ByCaller() caller: Caller,
    @QueryOf(EmailSuppressionQuery) query: EmailSuppressionQuery,
  ): Promise<EmailSuppressionPage> {
    const { items, next } = await this.suppressions.list(caller, pageOf(query), query);
    return { suppressions: items.map((entry) => EmailSuppressionRecord.of(entry)), ...nextCursor(next) };
  }

  @Post()
  @InOrganization('email:write')
  @ApiOperation({ operationId: 'createEmailSuppression', summary: 'Sends no more mail to an address' })
  @TakesBodyOnce(CreateEmailSuppressionRequest)
  @Answers(OneEmailSuppression, 201)
  async create(
    @ByCaller() caller: Caller,
    @JsonBody(CreateEmailSuppressionRequest) asked: CreateEmailSuppressionRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneEmailSuppression> {
    return { suppression: await this.suppressions.create(call, caller, asked) };
  }

  @Delete(':address')
  @InOrganization('email:write')
  @ApiOperation({ operationId: 'removeEmailSuppression', summary: 'Sends mail to an address again; a complaint stays' })
  @Answers(OneEmailSuppression)
  @RefusesWith('NOT_FOUND', 'STATE_CONFLICT')
  async remove(
    @ByCaller() caller: Caller,
    @Param('address') address: string,
    @ToWrite() call: WriteCall,
  ): Promise<OneEmailSuppression> {
    return { suppression: await this.suppressions.remove(call, caller, address) };
  }
}
