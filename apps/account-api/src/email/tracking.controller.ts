import { Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { RequirePermission, RequireWorkspacePermission } from '../access/access.decorators';
import { CurrentCaller, CurrentWorkspace, type Caller } from '../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../http/json-body';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { OneEmailTracking, SetEmailTrackingRequest } from './tracking.dto';
import { EmailTrackingService } from './tracking.service';

@ApiTags('Email')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/organization/email/tracking')
export class EmailTrackingController {
  constructor(private readonly tracking: EmailTrackingService) {}

  @Get('workspaces/:id')
  @RequireWorkspacePermission('email:read')
  @ApiOperation({
    operationId: 'getWorkspaceEmailTracking',
    summary: 'Get the tracking settings of a workspace',
  })
  @ApiData(OneEmailTracking)
  @ApiErrors('NOT_FOUND')
  async ofWorkspace(@CurrentCaller() caller: Caller, @CurrentWorkspace() { id }: Workspace): Promise<OneEmailTracking> {
    return { tracking: await this.tracking.get(caller, { kind: 'workspace', id }) };
  }

  @Put('workspaces/:id')
  @RequireWorkspacePermission('email:write')
  @ApiOperation({
    operationId: 'setWorkspaceEmailTracking',
    summary: 'Update the tracking settings of a workspace',
  })
  @ApiIdempotentBody(SetEmailTrackingRequest)
  @ApiData(OneEmailTracking)
  @ApiErrors('NOT_FOUND')
  async setOfWorkspace(
    @CurrentCaller() caller: Caller,
    @CurrentWorkspace() { id }: Workspace,
    @JsonBody(SetEmailTrackingRequest) body: SetEmailTrackingRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneEmailTracking> {
    return { tracking: await this.tracking.set(write, caller, { kind: 'workspace', id }, body) };
  }

  @Get('keys/:keyId')
  @RequirePermission('email:read')
  @ApiOperation({
    operationId: 'getKeyEmailTracking',
    summary: 'Get the tracking settings of an API key',
  })
  @ApiData(OneEmailTracking)
  @ApiErrors('NOT_FOUND')
  async ofKey(@CurrentCaller() caller: Caller, @Param('keyId') id: string): Promise<OneEmailTracking> {
    return { tracking: await this.tracking.get(caller, { kind: 'key', id }) };
  }

  @Put('keys/:keyId')
  @RequirePermission('email:write')
  @ApiOperation({ operationId: 'setKeyEmailTracking', summary: 'Update the tracking settings of an API key' })
  @ApiIdempotentBody(SetEmailTrackingRequest)
  @ApiData(OneEmailTracking)
  @ApiErrors('NOT_FOUND')
  async setOfKey(
    @CurrentCaller() caller: Caller,
    @Param('keyId') id: string,
    @JsonBody(SetEmailTrackingRequest) body: SetEmailTrackingRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneEmailTracking> {
    return { tracking: await this.tracking.set(write, caller, { kind: 'key', id }, body) };
  }
}
