import { Controller, Delete, Get, Inject, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { InOrganization } from '../access/access.decorators';
import { ByCaller, type Caller } from '../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBodyOnce } from '../http/json-body';
import { nextCursor, PageQuery, pageOf, QueryOf } from '../http/query';
import { ToWrite, type WriteCall } from '../writes/writes.service';
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
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/organization/api-keys')
export class ApiKeysController {
  constructor(@Inject(KeyManagementService) private readonly keys: KeyManagementService) {}

  @Get()
  @InOrganization('keys:read')
  @ApiOperation({ operationId: 'listApiKeys', summary: 'The keys, newest first, with their last use' })
  @Answers(KeyList)
  @RefusesWith('VALIDATION_ERROR')
  async list(@ByCaller() caller: Caller, @QueryOf(PageQuery) query: PageQuery): Promise<KeyList> {
    const { items, next } = await this.keys.list(caller, pageOf(query));
    return { apiKeys: items.map((key) => KeyRecord.ofUsed(key)), ...nextCursor(next) };
  }

  @Get(':keyId')
  @InOrganization('keys:read')
  @ApiOperation({ operationId: 'getApiKey', summary: 'One key' })
  @Answers(OneKey)
  @RefusesWith('NOT_FOUND')
  async one(@ByCaller() caller: Caller, @Param('keyId') id: string): Promise<OneKey> {
    return { apiKey: KeyRecord.ofUsed(await this.keys.one(caller, id)) };
  }

  @Post()
  @InOrganization('keys:write')
  @ApiOperation({ operationId: 'createApiKey', summary: 'Makes a key; the answer shows it, once' })
  @TakesBodyOnce(CreateKeyRequest)
  @Answers(NewKey, 201)
  @RefusesWith('NAME_TAKEN')
  create(
    @ByCaller() caller: Caller,
    @JsonBody(CreateKeyRequest) asked: CreateKeyRequest,
    @ToWrite() call: WriteCall,
  ): Promise<NewKey> {
    return this.keys.create(call, caller, asked);
  }

  @Patch(':keyId')
  @InOrganization('keys:write')
  @ApiOperation({ operationId: 'changeApiKey', summary: 'Changes name, scopes, role or expiry' })
  @TakesBodyOnce(ChangeKeyRequest)
  @Answers(OneKey)
  @RefusesWith('NOT_FOUND', 'NAME_TAKEN', 'STATE_CONFLICT')
  async change(
    @ByCaller() caller: Caller,
    @Param('keyId') id: string,
    @JsonBody(ChangeKeyRequest) asked: ChangeKeyRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneKey> {
    return { apiKey: await this.keys.change(call, caller, id, asked) };
  }

  @Post(':keyId/rotate')
  @InOrganization('keys:write')
  @ApiOperation({ operationId: 'rotateApiKey', summary: 'Gives the key another secret; the answer shows it, once' })
  @TakesBodyOnce(RotateKeyRequest)
  @Answers(NewKey)
  @RefusesWith('NOT_FOUND', 'STATE_CONFLICT')
  rotate(
    @ByCaller() caller: Caller,
    @Param('keyId') id: string,
    @JsonBody(RotateKeyRequest) { overlapSeconds }: RotateKeyRequest,
    @ToWrite() call: WriteCall,
  ): Promise<NewKey> {
    return this.keys.rotate(call, caller, id, overlapSeconds);
  }

  @Delete(':keyId')
  @InOrganization('keys:write', { evenWhenLocked: true })
  @ApiOperation({ operationId: 'revokeApiKey', summary: 'Ends the key for good, everywhere within a second' })
  @Answers(OneKey)
  @RefusesWith('NOT_FOUND')
  async revoke(@ByCaller() caller: Caller, @Param('keyId') id: string, @ToWrite() call: WriteCall): Promise<OneKey> {
    return { apiKey: await this.keys.revoke(call, caller, id) };
  }
}
