import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { ApiData, IdempotentWrite } from '../../http/envelope';
import { AccountApiErrors } from '../../http/api-errors';
import { PageQuery } from '../../http/page.query';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { ChangeKeyRequest, CreateKeyRequest, KeyList, NewKey, OneKey, RotateKeyRequest } from './api-keys.dto';
import { Sample } from '@heliograph/service-kit';
import { KeyManagementService } from './key-management.service';

@ApiTags('API keys')
@Controller('api/organization/api-keys')
export class ApiKeysController {
  constructor(private readonly keys: KeyManagementService) {}

  @Get()
  @RequirePermission('keys:read')
  @ApiOperation({ operationId: 'listApiKeys', summary: 'List API keys, newest first' })
  @ApiData(KeyList)
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<KeyList> {
    return this.keys.list(caller, query);
  }

  @Get(':keyId')
  @RequirePermission('keys:read')
  @ApiOperation({ operationId: 'getApiKey', summary: 'Get an API key' })
  @ApiData(OneKey)
  @AccountApiErrors('NOT_FOUND')
  get(@CurrentCaller() caller: Caller, @Param('keyId') id: string): Promise<OneKey> {
    return this.keys.get(caller, id);
  }

  @Post()
  @RequirePermission('keys:write')
  @ApiOperation({
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description: 'The secret is only returned in this response.',
  })
  @IdempotentWrite({ sealed: true })
  @ApiData(NewKey, 201)
  @AccountApiErrors('NAME_TAKEN', 'LIMIT_REACHED')
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateKeyRequest,
    @CurrentWrite() write: Write,
  ): Promise<NewKey> {
    return this.keys.create(write, caller, body);
  }

  @Patch(':keyId')
  @RequirePermission('keys:write')
  @ApiOperation({ operationId: 'changeApiKey', summary: 'Update the name, scopes, role or expiry of an API key' })
  @IdempotentWrite()
  @ApiData(OneKey)
  @AccountApiErrors('NOT_FOUND', 'NAME_TAKEN', 'STATE_CONFLICT')
  update(
    @CurrentCaller() caller: Caller,
    @Param('keyId') id: string,
    @Body() body: ChangeKeyRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneKey> {
    return this.keys.update(write, caller, id, body);
  }

  @Post(':keyId/rotate')
  @RequirePermission('keys:write')
  @Sample({ values: { keyId: { create: '/api/organization/api-keys', body: { name: 'temporary' } } } })
  @ApiOperation({
    operationId: 'rotateApiKey',
    summary: 'Rotate the secret of an API key',
    description: 'The new secret is only returned in this response.',
  })
  @IdempotentWrite({ sealed: true })
  @ApiData(NewKey)
  @AccountApiErrors('NOT_FOUND', 'STATE_CONFLICT')
  rotate(
    @CurrentCaller() caller: Caller,
    @Param('keyId') id: string,
    @Body() body: RotateKeyRequest,
    @CurrentWrite() write: Write,
  ): Promise<NewKey> {
    return this.keys.rotate(write, caller, id, body);
  }

  @Delete(':keyId')
  @RequirePermission('keys:write', { evenWhenLocked: true })
  @Sample({ values: { keyId: { create: '/api/organization/api-keys', body: { name: 'revoked' } } } })
  @ApiOperation({
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key permanently',
    description: 'The revocation takes effect within one second.',
  })
  @IdempotentWrite()
  @ApiData(OneKey)
  @AccountApiErrors('NOT_FOUND')
  revoke(@CurrentCaller() caller: Caller, @Param('keyId') id: string, @CurrentWrite() write: Write): Promise<OneKey> {
    return this.keys.revoke(write, caller, id);
  }
}
