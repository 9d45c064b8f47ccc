import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../../access/caller';
import { ApiData, IdempotentWrite } from '../../../http/envelope';
import { AccountApiErrors } from '../../../http/api-errors';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import { CreateEmailDomainRequest, EmailDomainPage, EmailDomainQuery, OneEmailDomain } from './domains.dto';
import { AdmittedByService, Sample } from '@heliograph/service-kit';
import { EmailDomainsService } from './domains.service';

@ApiTags('Email')
@Controller('api/organization/email/domains')
export class EmailDomainsController {
  constructor(private readonly domains: EmailDomainsService) {}

  @Get()
  @RequirePermission('email:read')
  @ApiOperation({
    operationId: 'listEmailDomains',
    summary: 'List sending domains, sorted by creation time, oldest first',
  })
  @ApiData(EmailDomainPage)
  list(@CurrentCaller() caller: Caller, @Query() query: EmailDomainQuery): Promise<EmailDomainPage> {
    return this.domains.list(caller, query);
  }

  @Get(':domainId')
  @RequirePermission('email:read')
  @ApiOperation({ operationId: 'getEmailDomain', summary: 'Get a sending domain with its DNS records' })
  @ApiData(OneEmailDomain)
  @AccountApiErrors('NOT_FOUND')
  get(@CurrentCaller() caller: Caller, @Param('domainId') id: string): Promise<OneEmailDomain> {
    return this.domains.get(caller, id);
  }

  @Post()
  @RequirePermission('email:write')
  @ApiOperation({
    operationId: 'createEmailDomain',
    summary: 'Add a sending domain',
    description: 'The response contains the DNS records to publish.',
  })
  @IdempotentWrite()
  @ApiData(OneEmailDomain, 201)
  @AccountApiErrors('NAME_TAKEN', 'LIMIT_REACHED')
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateEmailDomainRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailDomain> {
    return this.domains.create(write, caller, body);
  }

  @Post(':domainId/verify')
  @AdmittedByService()
  @RequirePermission('email:write')
  @ApiOperation({
    operationId: 'verifyEmailDomain',
    summary: 'Check the DNS records of a domain',
    description: 'Runs the check immediately, in addition to the periodic checks.',
  })
  @IdempotentWrite()
  @ApiData(OneEmailDomain)
  @AccountApiErrors('NOT_FOUND', 'STATE_CONFLICT')
  verify(
    @CurrentCaller() caller: Caller,
    @Param('domainId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailDomain> {
    return this.domains.verify(write, caller, id);
  }

  @Delete(':domainId')
  @RequirePermission('email:write')
  @Sample({ values: { domainId: { create: '/api/organization/email/domains', body: { name: 'news.demo.example' } } } })
  @ApiOperation({ operationId: 'removeEmailDomain', summary: 'Delete a domain without senders' })
  @IdempotentWrite()
  @ApiData(OneEmailDomain)
  @AccountApiErrors('NOT_FOUND', 'STATE_CONFLICT')
  remove(
    @CurrentCaller() caller: Caller,
    @Param('domainId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailDomain> {
    return this.domains.remove(write, caller, id);
  }
}
