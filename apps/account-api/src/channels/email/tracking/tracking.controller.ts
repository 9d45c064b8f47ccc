import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Workspace, Write } from '@heliograph/tenancy';
import { RequirePermission, RequireWorkspacePermission } from '../../../access/access.decorators';
import { CurrentCaller, CurrentWorkspace, type Caller } from '../../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../../http/envelope';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import { OneEmailTracking, SetEmailTrackingRequest } from './tracking.dto';
import { EmailTrackingService } from './tracking.service';

@ApiTags('Email')
@Controller('api/organization/email/tracking')
export class EmailTrackingController {
  constructor(private readonly tracking: EmailTrackingService) {}

  @Get('workspaces/:id')
  @RequireWorkspacePermission('email:read')
  @AccountOperation({
    id: 'getWorkspaceEmailTracking',
    summary: 'Get the tracking settings of a workspace',

    description: 'These settings apply to the sends of all keys without settings of their own.',
    response: OneEmailTracking,
    sample: { values: { id: { get: '/api/workspaces?limit=1' } } },
  })
  ofWorkspace(@CurrentCaller() caller: Caller, @CurrentWorkspace() { id }: Workspace): Promise<OneEmailTracking> {
    return this.tracking.get(caller, { kind: 'workspace', id });
  }

  @Put('workspaces/:id')
  @RequireWorkspacePermission('email:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'setWorkspaceEmailTracking',
    summary: 'Update the tracking settings of a workspace',

    description: 'The settings apply to mails that are sent from now on. `tracking` of a send overrides them.',
    response: OneEmailTracking,
    sample: { body: { opens: false, clicks: true }, values: { id: { get: '/api/workspaces?limit=1' } } },
  })
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
  @AccountOperation({
    id: 'getKeyEmailTracking',
    summary: 'Get the tracking settings of an API key',

    description: 'A value of `null` means that the setting of the workspace applies.',
    response: OneEmailTracking,
    errors: ['NOT_FOUND'],
    sample: { values: { keyId: { get: '/api/organization/api-keys?limit=1' } } },
  })
  ofKey(@CurrentCaller() caller: Caller, @Param('keyId') id: string): Promise<OneEmailTracking> {
    return this.tracking.get(caller, { kind: 'key', id });
  }

  @Put('keys/:keyId')
  @RequirePermission('email:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'setKeyEmailTracking',
    summary: 'Update the tracking settings of an API key',

    description: '`null` restores the setting of the workspace.',
    response: OneEmailTracking,
    errors: ['NOT_FOUND'],
    sample: { body: { opens: false, clicks: true }, values: { keyId: { get: '/api/organization/api-keys?limit=1' } } },
  })
  setOfKey(
    @CurrentCaller() caller: Caller,
    @Param('keyId') id: string,
    @Body() body: SetEmailTrackingRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailTracking> {
    return this.tracking.set(write, caller, { kind: 'key', id }, body);
  }
}
