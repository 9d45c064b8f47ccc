import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../../access/caller';
import { ApiData, IdempotentWrite } from '../../../http/envelope';
import { AccountApiErrors } from '../../../http/api-errors';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import {
  CreateEmailSuppressionRequest,
  EmailSuppressionPage,
  EmailSuppressionQuery,
  EmailSuppressionScopeQuery,
  OneEmailSuppression,
} from './suppressions.dto';
import { Sample } from '@heliograph/service-kit';
import { EmailSuppressionsService } from './suppressions.service';

@ApiTags('Email')
@Controller('api/organization/email/suppressions')
export class EmailSuppressionsController {
  constructor(private readonly suppressions: EmailSuppressionsService) {}

  @Get()
  @RequirePermission('email:read')
  @ApiOperation({
    operationId: 'listEmailSuppressions',
    summary: 'List suppressed addresses, sorted by address and scope',
  })
  @ApiData(EmailSuppressionPage)
  list(@CurrentCaller() caller: Caller, @Query() query: EmailSuppressionQuery): Promise<EmailSuppressionPage> {
    return this.suppressions.list(caller, query);
  }

  @Post()
  @RequirePermission('email:write')
  @ApiOperation({
    operationId: 'createEmailSuppression',
    summary: 'Suppress an address',
    description: 'No email of the scope is sent to a suppressed address.',
  })
  @IdempotentWrite()
  @ApiData(OneEmailSuppression, 201)
  @AccountApiErrors('LIMIT_REACHED')
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateEmailSuppressionRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailSuppression> {
    return this.suppressions.create(write, caller, body);
  }

  @Delete(':address')
  @RequirePermission('email:write')
  @Sample({ values: { address: { get: '/api/organization/email/suppressions?limit=1', field: 'address' } } })
  @ApiOperation({
    operationId: 'removeEmailSuppression',
    summary: 'Remove a suppression',
    description: 'Suppressions after complaints cannot be removed.',
  })
  @IdempotentWrite()
  @ApiData(OneEmailSuppression)
  @AccountApiErrors('NOT_FOUND', 'STATE_CONFLICT')
  remove(
    @CurrentCaller() caller: Caller,
    @Param('address') address: string,
    @Query() { scope }: EmailSuppressionScopeQuery,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailSuppression> {
    return this.suppressions.remove(write, caller, address, scope);
  }
}
