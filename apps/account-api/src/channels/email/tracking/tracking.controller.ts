import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace, Write } from '@heliograph/tenancy';
import { RequirePermission, RequireWorkspacePermission } from '../../../access/access.decorators';
import { CurrentCaller, CurrentWorkspace, type Caller } from '../../../access/caller';
import { ApiData, IdempotentWrite } from '../../../http/envelope';
import { AccountApiErrors } from '../../../http/api-errors';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import { OneEmailTracking, SetEmailTrackingRequest } from './tracking.dto';
import { Sample } from '@heliograph/service-kit';
import { EmailTrackingService } from './tracking.service';

@ApiTags('Email')
@Controller('api/organization/email/tracking')
export class EmailTrackingController {
  constructor(private readonly tracking: EmailTrackingService) {}

  @Get('workspaces/:id')
  @RequireWorkspacePermission('email:read')
  @Sample({ values: { id: { get: '/api/workspaces?limit=1' } } })
  @ApiOperation({
    operationId: 'getWorkspaceEmailTracking',
    summary: 'Get the tracking settings of a workspace',
  })
  @ApiData(OneEmailTracking)
  ofWorkspace(@CurrentCaller() caller: Caller, @CurrentWorkspace() { id }: Workspace): Promise<OneEmailTracking> {
    return this.tracking.get(caller, { kind: 'workspace', id });
  }

  @Put('workspaces/:id')
  @RequireWorkspacePermission('email:write')
  @Sample({ body: { opens: false, clicks: true }, values: { id: { get: '/api/workspaces?limit=1' } } })
  @ApiOperation({
    operationId: 'setWorkspaceEmailTracking',
    summary: 'Update the tracking settings of a workspace',
  })
  @IdempotentWrite()
  @ApiData(OneEmailTracking)
  setOfWorkspace(
    @CurrentCaller() caller: Caller,
    @CurrentWorkspace() { id }: Workspace,
    @Body() body: SetEmailTrackingRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailTracking> {
    return this.tracking.set(write, caller, { kind: 'workspace', id }, body);
  }

  @Get('keys/:keyId')
  @RequirePermission('email:read')
  @Sample({ values: { keyId: { get: '/api/organization/api-keys?limit=1' } } })
  @ApiOperation({
    operationId: 'getKeyEmailTracking',
    summary: 'Get the tracking settings of an API key',
  })
  @ApiData(OneEmailTracking)
  @AccountApiErrors('NOT_FOUND')
  ofKey(@CurrentCaller() caller: Caller, @Param('keyId') id: string): Promise<OneEmailTracking> {
    return this.tracking.get(caller, { kind: 'key', id });
  }

  @Put('keys/:keyId')
  @RequirePermission('email:write')
  @Sample({ body: { opens: false, clicks: true }, values: { keyId: { get: '/api/organization/api-keys?limit=1' } } })
  @ApiOperation({ operationId: 'setKeyEmailTracking', summary: 'Update the tracking settings of an API key' })
  @IdempotentWrite()
  @ApiData(OneEmailTracking)
  @AccountApiErrors('NOT_FOUND')
  setOfKey(
    @CurrentCaller() caller: Caller,
    @Param('keyId') id: string,
    @Body() body: SetEmailTrackingRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailTracking> {
    return this.tracking.set(write, caller, { kind: 'key', id }, body);
  }
}
