import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { ApiData, IdempotentWrite } from '../../http/envelope';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { ChangeOrganizationRequest, OneOrganization } from './organization.dto';
import { OrganizationService } from './organization.service';

@ApiTags('Organization')
@Controller('api/organization')
export class OrganizationController {
  constructor(private readonly organizations: OrganizationService) {}

  @Get()
  @RequirePermission('organization:read')
  @ApiOperation({ operationId: 'getOrganization', summary: 'Get the organization of the caller' })
  @ApiData(OneOrganization)
  get(@CurrentCaller() { organizationId }: Caller): Promise<OneOrganization> {
    return this.organizations.get(organizationId);
  }

  @Patch()
  @RequirePermission('organization:write')
  @ApiOperation({ operationId: 'changeOrganization', summary: 'Rename the organization' })
  @IdempotentWrite()
  @ApiData(OneOrganization)
  update(
    @CurrentCaller() { organizationId }: Caller,
    @Body() body: ChangeOrganizationRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneOrganization> {
    return this.organizations.update(write, organizationId, body);
  }
}
