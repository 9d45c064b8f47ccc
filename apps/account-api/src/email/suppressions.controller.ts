import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../access/access.decorators';
import { CurrentCaller, type Caller } from '../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../http/json-body';
import { nextCursor, pageOf, ValidatedQuery } from '../http/query';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import {
  CreateEmailSuppressionRequest,
  EmailSuppressionPage,
  EmailSuppressionQuery,
  EmailSuppressionRecord,
  OneEmailSuppression,
} from './suppressions.dto';
import { EmailSuppressionsService } from './suppressions.service';

@ApiTags('Email')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/organization/email/suppressions')
export class EmailSuppressionsController {
  constructor(private readonly suppressions: EmailSuppressionsService) {}

  @Get()
  @RequirePermission('email:read')
  @ApiOperation({
    operationId: 'listEmailSuppressions',
    summary: 'List suppressed addresses, sorted by address',
  })
  @ApiData(EmailSuppressionPage)
  async list(
    @CurrentCaller() caller: Caller,
    @ValidatedQuery(EmailSuppressionQuery) query: EmailSuppressionQuery,
  ): Promise<EmailSuppressionPage> {
    const { items, next } = await this.suppressions.list(caller, pageOf(query), query);
    return { suppressions: items.map((entry) => EmailSuppressionRecord.of(entry)), ...nextCursor(next) };
  }

  @Post()
  @RequirePermission('email:write')
  @ApiOperation({
    operationId: 'createEmailSuppression',
    summary: 'Suppress an address, so that no email is sent to it',
  })
  @ApiIdempotentBody(CreateEmailSuppressionRequest)
  @ApiData(OneEmailSuppression, 201)
  async create(
    @CurrentCaller() caller: Caller,
    @JsonBody(CreateEmailSuppressionRequest) body: CreateEmailSuppressionRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneEmailSuppression> {
    return { suppression: await this.suppressions.create(write, caller, body) };
  }

  @Delete(':address')
  @RequirePermission('email:write')
  @ApiOperation({
    operationId: 'removeEmailSuppression',
    summary: 'Remove a suppression; complaints cannot be removed',
  })
  @ApiData(OneEmailSuppression)
  @ApiErrors('NOT_FOUND', 'STATE_CONFLICT')
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('address') address: string,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneEmailSuppression> {
    return { suppression: await this.suppressions.remove(write, caller, address) };
  }
}
