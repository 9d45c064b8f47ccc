import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../http/envelope';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { Allowlist, ReplaceAllowlistRequest } from './allowlist.dto';
import { AllowlistService } from './allowlist.service';

@ApiTags('Organization')
@Controller('api/organization/ip-allowlist')
export class AllowlistController {
  constructor(private readonly allowlists: AllowlistService) {}

  @Get()
  @RequirePermission('allowlist:read')
  @AccountOperation({
    id: 'getIpAllowlist',
    summary: 'Get the IP allow-list for API keys',
    description: 'An empty list allows every address.',
    response: Allowlist,
  })
  get(@CurrentCaller() { organizationId }: Caller): Promise<Allowlist> {
    return this.allowlists.get(organizationId);
  }

  @Put()
  @RequirePermission('allowlist:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'replaceIpAllowlist',
    summary: 'Replace the IP allow-list',
    description: 'The change takes effect within one second.',
    response: Allowlist,
    errors: ['WOULD_LOCK_YOU_OUT'],
    sample: { body: { entries: ['127.0.0.1', '203.0.113.0/24'] } },
  })
  replace(
    @CurrentCaller() { organizationId }: Caller,
    @Body() body: ReplaceAllowlistRequest,
    @CurrentWrite() write: Write,
  ): Promise<Allowlist> {
    return this.allowlists.replace(write, organizationId, body);
  }
}
