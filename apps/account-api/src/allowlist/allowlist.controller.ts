import { Controller, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../access/access.decorators';
import { CurrentCaller, type Caller } from '../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../http/json-body';
import { OrganizationService } from '../organization/organization.service';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { Allowlist, ReplaceAllowlistRequest } from './allowlist.dto';
import { AllowlistService } from './allowlist.service';

@ApiTags('Organization')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/organization/ip-allowlist')
export class AllowlistController {
  constructor(
    private readonly allowlists: AllowlistService,
    private readonly organizations: OrganizationService,
  ) {}

  @Get()
  @RequirePermission('allowlist:read')
  @ApiOperation({ operationId: 'getIpAllowlist', summary: 'Get the IP allow-list for API keys' })
  @ApiData(Allowlist)
  async get(@CurrentCaller() { organizationId }: Caller): Promise<Allowlist> {
    return { entries: (await this.organizations.get(organizationId)).ipAllowlist };
  }

  @Put()
  @RequirePermission('allowlist:write')
  @ApiOperation({
    operationId: 'replaceIpAllowlist',
    summary: 'Replace the IP allow-list; takes effect within one second',
  })
  @ApiIdempotentBody(ReplaceAllowlistRequest)
  @ApiData(Allowlist)
  @ApiErrors('WOULD_LOCK_YOU_OUT')
  replace(
    @CurrentCaller() { organizationId }: Caller,
    @JsonBody(ReplaceAllowlistRequest) body: ReplaceAllowlistRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<Allowlist> {
    return this.allowlists.replace(write, organizationId, body);
  }
}
