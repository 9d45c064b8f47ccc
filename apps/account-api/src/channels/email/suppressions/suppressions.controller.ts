import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../../http/envelope';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import {
  CreateEmailSuppressionRequest,
  EmailSuppressionPage,
  EmailSuppressionQuery,
  EmailSuppressionScopeQuery,
  OneEmailSuppression,
} from './suppressions.dto';
import { EmailSuppressionsService } from './suppressions.service';

@ApiTags('Email')
@Controller('api/organization/email/suppressions')
export class EmailSuppressionsController {
  constructor(private readonly suppressions: EmailSuppressionsService) {}

  @Get()
  @RequirePermission('email:read')
  @AccountOperation({
    id: 'listEmailSuppressions',
    summary: 'List suppressed addresses, sorted by address and scope',

    description: 'Contains bounced, complained, unsubscribed and manually suppressed addresses of all scopes.',
    response: EmailSuppressionPage,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: EmailSuppressionQuery): Promise<EmailSuppressionPage> {
    return this.suppressions.list(caller, query);
  }

  @Post()
  @RequirePermission('email:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'createEmailSuppression',
    summary: 'Suppress an address',
    description: 'No email of the scope is sent to a suppressed address.',
    status: 201,
    response: OneEmailSuppression,
    errors: ['LIMIT_REACHED'],
  })
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateEmailSuppressionRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailSuppression> {
    return this.suppressions.create(write, caller, body);
  }

  @Delete(':address')
  @RequirePermission('email:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'removeEmailSuppression',
    summary: 'Remove a suppression',
    description: 'Suppressions after complaints cannot be removed.',
    response: OneEmailSuppression,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
    sample: { values: { address: { get: '/api/organization/email/suppressions?limit=1', field: 'address' } } },
  })
  remove(
    @CurrentCaller() caller: Caller,
    @Param('address') address: string,
    @Query() { scope }: EmailSuppressionScopeQuery,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailSuppression> {
    return this.suppressions.remove(write, caller, address, scope);
  }
}
