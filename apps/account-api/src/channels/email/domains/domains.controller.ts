import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../../http/envelope';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import { CreateEmailDomainRequest, EmailDomainPage, EmailDomainQuery, OneEmailDomain } from './domains.dto';
import { AdmittedByService } from '@heliograph/service-kit';
import { EmailDomainsService } from './domains.service';

@ApiTags('Email')
@Controller('api/organization/email/domains')
export class EmailDomainsController {
  constructor(private readonly domains: EmailDomainsService) {}

  @Get()
  @RequirePermission('email:read')
  @AccountOperation({
    id: 'listEmailDomains',
    summary: 'List sending domains, sorted by creation time, oldest first',

    description: 'Each domain has its DNS records and what was found at the last check.',
    response: EmailDomainPage,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: EmailDomainQuery): Promise<EmailDomainPage> {
    return this.domains.list(caller, query);
  }

  @Get(':domainId')
  @RequirePermission('email:read')
  @AccountOperation({
    id: 'getEmailDomain',
    summary: 'Get a sending domain with its DNS records',

    description: 'Publish the records that it lists, then verify the domain.',
    response: OneEmailDomain,
    errors: ['NOT_FOUND'],
  })
  get(@CurrentCaller() caller: Caller, @Param('domainId') id: string): Promise<OneEmailDomain> {
    return this.domains.get(caller, id);
  }

  @Post()
  @RequirePermission('email:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'createEmailDomain',
    summary: 'Add a sending domain',
    description: 'The response contains the DNS records to publish.',
    status: 201,
    response: OneEmailDomain,
    errors: ['NAME_TAKEN', 'LIMIT_REACHED'],
  })
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
  @IdempotentWrite()
  @AccountOperation({
    id: 'verifyEmailDomain',
    summary: 'Check the DNS records of a domain',
    description: 'Runs the check immediately, in addition to the periodic checks.',
    response: OneEmailDomain,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  })
  verify(
    @CurrentCaller() caller: Caller,
    @Param('domainId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailDomain> {
    return this.domains.verify(write, caller, id);
  }

  @Delete(':domainId')
  @RequirePermission('email:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'removeEmailDomain',
    summary: 'Delete a domain without senders',

    description: 'Delete its senders first. Its DNS records can be removed afterwards.',
    response: OneEmailDomain,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
    sample: {
      values: { domainId: { create: '/api/organization/email/domains', body: { name: 'news.demo.example' } } },
    },
  })
  remove(
    @CurrentCaller() caller: Caller,
    @Param('domainId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailDomain> {
    return this.domains.remove(write, caller, id);
  }
}
