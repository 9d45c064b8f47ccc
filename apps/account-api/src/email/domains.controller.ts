import { Controller, Delete, Get, Inject, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { InOrganization } from '../access/access.decorators';
import { ByCaller, type Caller } from '../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBodyOnce } from '../http/json-body';
import { nextCursor, pageOf, QueryOf } from '../http/query';
import { ToWrite, type WriteCall } from '../writes/writes.service';
import { CreateEmailDomainRequest, EmailDomainPage, EmailDomainQuery, OneEmailDomain } from './domains.dto';
import { EmailDomainsService } from './domains.service';

@ApiTags('Email')
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/organization/email/domains')
export class EmailDomainsController {
  constructor(@Inject(EmailDomainsService) private readonly domains: EmailDomainsService) {}

  @Get()
  @InOrganization('email:read')
  @ApiOperation({ operationId: 'listEmailDomains', summary: 'The domains, in the order of their making' })
  @Answers(EmailDomainPage)
  async list(@ByCaller() caller: Caller, @QueryOf(EmailDomainQuery) query: EmailDomainQuery): Promise<EmailDomainPage> {
    const { items, next } = await this.domains.list(caller, pageOf(query), query);
    return { domains: items, ...nextCursor(next) };
  }

  @Get(':domainId')
  @InOrganization('email:read')
  @ApiOperation({ operationId: 'getEmailDomain', summary: 'One domain, with the records to publish' })
  @Answers(OneEmailDomain)
  @RefusesWith('NOT_FOUND')
  async one(@ByCaller() caller: Caller, @Param('domainId') id: string): Promise<OneEmailDomain> {
    return { domain: await this.domains.one(caller, id) };
  }

  @Post()
  @InOrganization('email:write')
  @ApiOperation({ operationId: 'createEmailDomain', summary: 'Adds a domain, and says which records to publish' })
  @TakesBodyOnce(CreateEmailDomainRequest)
  @Answers(OneEmailDomain, 201)
  @RefusesWith('NAME_TAKEN')
  async create(
    @ByCaller() caller: Caller,
    @JsonBody(CreateEmailDomainRequest) asked: CreateEmailDomainRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneEmailDomain> {
    return { domain: await this.domains.create(call, caller, asked) };
  }

  @Post(':domainId/verify')
  @InOrganization('email:write')
  @ApiOperation({
    operationId: 'verifyEmailDomain',
    summary: 'Looks the records up now; they are also looked up by themselves',
  })
  @Answers(OneEmailDomain)
  @RefusesWith('NOT_FOUND', 'STATE_CONFLICT')
  async verify(
    @ByCaller() caller: Caller,
    @Param('domainId') id: string,
    @ToWrite() call: WriteCall,
  ): Promise<OneEmailDomain> {
    return { domain: await this.domains.verify(call, caller, id) };
  }

  @Delete(':domainId')
  @InOrganization('email:write')
  @ApiOperation({ operationId: 'removeEmailDomain', summary: 'Removes a domain that has no senders' })
  @Answers(OneEmailDomain)
  @RefusesWith('NOT_FOUND', 'STATE_CONFLICT')
  async remove(
    @ByCaller() caller: Caller,
    @Param('domainId') id: string,
    @ToWrite() call: WriteCall,
  ): Promise<OneEmailDomain> {
    return { domain: await this.domains.remove(call, caller, id) };
  }
}
