import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { ApiData, IdempotentWrite } from '../../http/envelope';
import { AccountApiErrors } from '../../http/api-errors';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { Allowlist, ReplaceAllowlistRequest } from './allowlist.dto';
import { Sample } from '@heliograph/service-kit';
import { AllowlistService } from './allowlist.service';

@ApiTags('Organization')
@Controller('api/organization/ip-allowlist')
export class AllowlistController {
  constructor(private readonly allowlists: AllowlistService) {}

  @Get()
  @RequirePermission('allowlist:read')
  @ApiOperation({ operationId: 'getIpAllowlist', summary: 'Get the IP allow-list for API keys' })
  @ApiData(Allowlist)
  get(@CurrentCaller() { organizationId }: Caller): Promise<Allowlist> {
    return this.allowlists.get(organizationId);
  }

  @Put()
  @RequirePermission('allowlist:write')
  @Sample({ body: { entries: ['127.0.0.1', '203.0.113.0/24'] } })
  @ApiOperation({
    operationId: 'replaceIpAllowlist',
    summary: 'Replace the IP allow-list',
    description: 'The change takes effect within one second.',
  })
  @IdempotentWrite()
  @ApiData(Allowlist)
  @AccountApiErrors('WOULD_LOCK_YOU_OUT')
  replace(
    @CurrentCaller() { organizationId }: Caller,
    @Body() body: ReplaceAllowlistRequest,
    @CurrentWrite() write: Write,
  ): Promise<Allowlist> {
    return this.allowlists.replace(write, organizationId, body);
  }
}
