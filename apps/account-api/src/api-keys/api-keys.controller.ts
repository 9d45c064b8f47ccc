import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../access/access.decorators';
import { CurrentCaller, type Caller } from '../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../http/json-body';
import { nextCursor, PageQuery, pageOf, ValidatedQuery } from '../http/query';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import {
  ChangeKeyRequest,
  CreateKeyRequest,
  KeyList,
  KeyRecord,
  NewKey,
  OneKey,
  RotateKeyRequest,
} from './api-keys.dto';
import { KeyManagementService } from './key-management.service';

@ApiTags('API keys')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/organization/api-keys')
export class ApiKeysController {
  constructor(private readonly keys: KeyManagementService) {}

  @Get()
  @RequirePermission('keys:read')
  @ApiOperation({ operationId: 'listApiKeys', summary: 'List API keys with their last use, newest first' })
  @ApiData(KeyList)
  @ApiErrors('VALIDATION_ERROR')
  async list(@CurrentCaller() caller: Caller, @ValidatedQuery(PageQuery) query: PageQuery): Promise<KeyList> {
    const { items, next } = await this.keys.list(caller, pageOf(query));
    return { apiKeys: items.map((key) => KeyRecord.ofUsed(key)), ...nextCursor(next) };
  }

  @Get(':keyId')
  @RequirePermission('keys:read')
  @ApiOperation({ operationId: 'getApiKey', summary: 'Get an API key' })
  @ApiData(OneKey)
  @ApiErrors('NOT_FOUND')
  async get(@CurrentCaller() caller: Caller, @Param('keyId') id: string): Promise<OneKey> {
    return { apiKey: KeyRecord.ofUsed(await this.keys.get(caller, id)) };
  }

  @Post()
  @RequirePermission('keys:write')
  @ApiOperation({
    operationId: 'createApiKey',
    summary: 'Create an API key; the secret is returned only in this response',
  })
  @ApiIdempotentBody(CreateKeyRequest)
  @ApiData(NewKey, 201)
  @ApiErrors('NAME_TAKEN')
  create(
    @CurrentCaller() caller: Caller,
    @JsonBody(CreateKeyRequest) body: CreateKeyRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<NewKey> {
    return this.keys.create(write, caller, body);
  }

  @Patch(':keyId')
  @RequirePermission('keys:write')
  @ApiOperation({ operationId: 'changeApiKey', summary: 'Update the name, scopes, role or expiry of an API key' })
  @ApiIdempotentBody(ChangeKeyRequest)
  @ApiData(OneKey)
  @ApiErrors('NOT_FOUND', 'NAME_TAKEN', 'STATE_CONFLICT')
  async update(
    @CurrentCaller() caller: Caller,
    @Param('keyId') id: string,
    @JsonBody(ChangeKeyRequest) body: ChangeKeyRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneKey> {
    return { apiKey: await this.keys.update(write, caller, id, body) };
  }

  @Post(':keyId/rotate')
  @RequirePermission('keys:write')
  @ApiOperation({
    operationId: 'rotateApiKey',
    summary: 'Rotate the secret of an API key; the new secret is returned only in this response',
  })
  @ApiIdempotentBody(RotateKeyRequest)
  @ApiData(NewKey)
  @ApiErrors('NOT_FOUND', 'STATE_CONFLICT')
  rotate(
    @CurrentCaller() caller: Caller,
    @Param('keyId') id: string,
    @JsonBody(RotateKeyRequest) { overlapSeconds }: RotateKeyRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<NewKey> {
    return this.keys.rotate(write, caller, id, overlapSeconds);
  }

  @Delete(':keyId')
  @RequirePermission('keys:write', { evenWhenLocked: true })
  @ApiOperation({
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key permanently; takes effect within one second',
  })
  @ApiData(OneKey)
  @ApiErrors('NOT_FOUND')
  async revoke(
    @CurrentCaller() caller: Caller,
    @Param('keyId') id: string,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneKey> {
    return { apiKey: await this.keys.revoke(write, caller, id) };
  }
}
