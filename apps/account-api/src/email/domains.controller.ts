import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../access/access.decorators';
import { CurrentCaller, type Caller } from '../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../http/json-body';
import { nextCursor, pageOf, ValidatedQuery } from '../http/query';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { CreateEmailDomainRequest, EmailDomainPage, EmailDomainQuery, OneEmailDomain } from './domains.dto';
import { EmailDomainsService } from './domains.service';

@ApiTags('Email')
@ApiErrors(...CALLER_ERRORS)
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
  async list(
    @CurrentCaller() caller: Caller,
    @ValidatedQuery(EmailDomainQuery) query: EmailDomainQuery,
  ): Promise<EmailDomainPage> {
    const { items, next } = await this.domains.list(caller, pageOf(query), query);
    return { domains: items, ...nextCursor(next) };
  }

  @Get(':domainId')
  @RequirePermission('email:read')
  @ApiOperation({ operationId: 'getEmailDomain', summary: 'Get a sending domain with its DNS records' })
  @ApiData(OneEmailDomain)
  @ApiErrors('NOT_FOUND')
  async get(@CurrentCaller() caller: Caller, @Param('domainId') id: string): Promise<OneEmailDomain> {
    return { domain: await this.domains.get(caller, id) };
  }

  @Post()
  @RequirePermission('email:write')
  @ApiOperation({
    operationId: 'createEmailDomain',
    summary: 'Add a sending domain; returns the DNS records to publish',
  })
  @ApiIdempotentBody(CreateEmailDomainRequest)
  @ApiData(OneEmailDomain, 201)
  @ApiErrors('NAME_TAKEN')
  async create(
    @CurrentCaller() caller: Caller,
    @JsonBody(CreateEmailDomainRequest) body: CreateEmailDomainRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneEmailDomain> {
    return { domain: await this.domains.create(write, caller, body) };
  }

  @Post(':domainId/verify')
  @RequirePermission('email:write')
  @ApiOperation({
    operationId: 'verifyEmailDomain',
    summary: 'Check the DNS records of a domain now, in addition to the periodic checks',
  })
  @ApiData(OneEmailDomain)
  @ApiErrors('NOT_FOUND', 'STATE_CONFLICT')
  async verify(
    @CurrentCaller() caller: Caller,
    @Param('domainId') id: string,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneEmailDomain> {
    return { domain: await this.domains.verify(write, caller, id) };
  }

  @Delete(':domainId')
  @RequirePermission('email:write')
  @ApiOperation({ operationId: 'removeEmailDomain', summary: 'Delete a domain without senders' })
  @ApiData(OneEmailDomain)
  @ApiErrors('NOT_FOUND', 'STATE_CONFLICT')
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('domainId') id: string,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneEmailDomain> {
    return { domain: await this.domains.remove(write, caller, id) };
  }
}
