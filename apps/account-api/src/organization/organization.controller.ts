import { Controller, Get, Inject, Patch } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { InOrganization } from '../access/access.decorators';
import { ByCaller, type Caller } from '../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBodyOnce } from '../http/json-body';
import { ToWrite, type WriteCall } from '../writes/writes.service';
import { ChangeOrganizationRequest, OneOrganization, OrganizationRecord } from './organization.dto';
import { OrganizationService } from './organization.service';

@ApiTags('Organization')
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/organization')
export class OrganizationController {
  constructor(@Inject(OrganizationService) private readonly organizations: OrganizationService) {}

  @Get()
  @InOrganization('organization:read')
  @ApiOperation({ operationId: 'getOrganization', summary: 'The organization of the caller' })
  @Answers(OneOrganization)
  async one(@ByCaller() { organizationId }: Caller): Promise<OneOrganization> {
    return { organization: OrganizationRecord.of(await this.organizations.one(organizationId)) };
  }

  @Patch()
  @InOrganization('organization:write')
  @ApiOperation({ operationId: 'changeOrganization', summary: 'Gives the organization another name' })
  @TakesBodyOnce(ChangeOrganizationRequest)
  @Answers(OneOrganization)
  async change(
    @ByCaller() { organizationId }: Caller,
    @JsonBody(ChangeOrganizationRequest) asked: ChangeOrganizationRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneOrganization> {
    return { organization: await this.organizations.change(call, organizationId, asked) };
  }
}
