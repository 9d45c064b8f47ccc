import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../http/envelope';
import { CurrentWrite } from '../../unit-of-work/current-write';
import {
  ChangeKeyRequest,
  CreateKeyRequest,
  KeyList,
  KeyQuery,
  NewKey,
  OneKey,
  RotateKeyRequest,
} from './api-keys.dto';
import { KeyManagementService } from './key-management.service';

@ApiTags('API keys')
@Controller('api/organization/api-keys')
export class ApiKeysController {
  constructor(private readonly keys: KeyManagementService) {}

  @Get()
  @RequirePermission('keys:read')
  @AccountOperation({
    id: 'listApiKeys',
    summary: 'List API keys, newest first',
    description:
      'Contains revoked and expired keys. The key itself is never returned again, only its last four characters.',
    response: KeyList,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: KeyQuery): Promise<KeyList> {
    return this.keys.list(caller, query);
  }

  @Get(':keyId')
  @RequirePermission('keys:read')
  @AccountOperation({
    id: 'getApiKey',
    summary: 'Get an API key',
    description: 'Shows when the key was last used, so that unused keys can be revoked.',
    response: OneKey,
    errors: ['NOT_FOUND'],
  })
  get(@CurrentCaller() caller: Caller, @Param('keyId') id: string): Promise<OneKey> {
    return this.keys.get(caller, id);
  }

  @Post()
  @RequirePermission('keys:write')
  @IdempotentWrite({ sealed: true })
  @AccountOperation({
    id: 'createApiKey',
    summary: 'Create an API key',
    description: 'The secret is only returned in this response.',
    status: 201,
    response: NewKey,
    errors: ['NAME_TAKEN', 'LIMIT_REACHED'],
  })
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateKeyRequest,
    @CurrentWrite() write: Write,
  ): Promise<NewKey> {
    return this.keys.create(write, caller, body);
  }

  @Patch(':keyId')
  @RequirePermission('keys:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'changeApiKey',
    summary: 'Update the name, scopes, role or expiry of an API key',

    description: 'The change applies to all further calls with the key.',
    response: OneKey,
    errors: ['NOT_FOUND', 'NAME_TAKEN', 'STATE_CONFLICT'],
  })
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
  @IdempotentWrite({ sealed: true })
  @AccountOperation({
    id: 'rotateApiKey',
    summary: 'Rotate the secret of an API key',
    description: 'The new secret is only returned in this response.',
    response: NewKey,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
    sample: { values: { keyId: { create: '/api/organization/api-keys', body: { name: 'temporary' } } } },
  })
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
  @IdempotentWrite()
  @AccountOperation({
    id: 'revokeApiKey',
    summary: 'Revoke an API key permanently',
    description: 'The revocation takes effect within one second.',
    response: OneKey,
    errors: ['NOT_FOUND'],
    sample: { values: { keyId: { create: '/api/organization/api-keys', body: { name: 'revoked' } } } },
  })
  revoke(@CurrentCaller() caller: Caller, @Param('keyId') id: string, @CurrentWrite() write: Write): Promise<OneKey> {
    return this.keys.revoke(write, caller, id);
  }
}
