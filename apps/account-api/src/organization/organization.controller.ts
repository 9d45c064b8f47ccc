import { Controller, Get, Patch } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../access/access.decorators';
import { CurrentCaller, type Caller } from '../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../http/json-body';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { ChangeOrganizationRequest, OneOrganization, OrganizationRecord } from './organization.dto';
import { OrganizationService } from './organization.service';

@ApiTags('Organization')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/organization')
export class OrganizationController {
  constructor(private readonly organizations: OrganizationService) {}

  @Get()
  @RequirePermission('organization:read')
  @ApiOperation({ operationId: 'getOrganization', summary: 'Get the organization of the caller' })
  @ApiData(OneOrganization)
  async get(@CurrentCaller() { organizationId }: Caller): Promise<OneOrganization> {
    return { organization: OrganizationRecord.of(await this.organizations.get(organizationId)) };
  }

  @Patch()
  @RequirePermission('organization:write')
  @ApiOperation({ operationId: 'changeOrganization', summary: 'Rename the organization' })
  @ApiIdempotentBody(ChangeOrganizationRequest)
  @ApiData(OneOrganization)
  async update(
    @CurrentCaller() { organizationId }: Caller,
    @JsonBody(ChangeOrganizationRequest) body: ChangeOrganizationRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneOrganization> {
    return { organization: await this.organizations.update(write, organizationId, body) };
  }
}
