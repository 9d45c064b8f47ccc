import { Controller, Get, Inject, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { InOrganization } from '../access/access.decorators';
import { ByCaller, type Caller } from '../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBodyOnce } from '../http/json-body';
import { OrganizationService } from '../organization/organization.service';
import { ToWrite, type WriteCall } from '../writes/writes.service';
import { Allowlist, ReplaceAllowlistRequest } from './allowlist.dto';
import { AllowlistService } from './allowlist.service';

@ApiTags('Organization')
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/organization/ip-allowlist')
export class AllowlistController {
  constructor(
    @Inject(AllowlistService) private readonly allowlists: AllowlistService,
    @Inject(OrganizationService) private readonly organizations: OrganizationService,
  ) {}

  @Get()
  @InOrganization('allowlist:read')
  @ApiOperation({ operationId: 'getIpAllowlist', summary: 'From where the keys may be used' })
  @Answers(Allowlist)
  async one(@ByCaller() { organizationId }: Caller): Promise<Allowlist> {
    return { entries: (await this.organizations.one(organizationId)).ipAllowlist };
  }

  @Put()
  @InOrganization('allowlist:write')
  @ApiOperation({ operationId: 'replaceIpAllowlist', summary: 'Replaces the list; in force within a second' })
  @TakesBodyOnce(ReplaceAllowlistRequest)
  @Answers(Allowlist)
  @RefusesWith('WOULD_LOCK_YOU_OUT')
  replace(
    @ByCaller() { organizationId }: Caller,
    @JsonBody(ReplaceAllowlistRequest) asked: ReplaceAllowlistRequest,
    @ToWrite() call: WriteCall,
  ): Promise<Allowlist> {
    return this.allowlists.replace(call, organizationId, asked);
  }
}
