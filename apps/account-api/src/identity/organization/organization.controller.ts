import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../http/envelope';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { ChangeOrganizationRequest, OneOrganization } from './organization.dto';
import { OrganizationService } from './organization.service';

@ApiTags('Organization')
@Controller('api/organization')
export class OrganizationController {
  constructor(private readonly organizations: OrganizationService) {}

  @Get()
  @RequirePermission('organization:read')
  @AccountOperation({
    id: 'getOrganization',
    summary: 'Get the organization of the caller',
    description: 'Returns the organization of the API key or of the session.',
    response: OneOrganization,
  })
  get(@CurrentCaller() { organizationId }: Caller): Promise<OneOrganization> {
    return this.organizations.get(organizationId);
  }

  @Patch()
  @RequirePermission('organization:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'changeOrganization',
    summary: 'Rename the organization',
    description: 'The new name appears in mails and invitations. The slug remains.',
    response: OneOrganization,
  })
  update(
    @CurrentCaller() { organizationId }: Caller,
    @Body() body: ChangeOrganizationRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneOrganization> {
    return this.organizations.update(write, organizationId, body);
  }
}
