import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiResponse, ApiTags } from '@nestjs/swagger';
import { toMessagingTimestamp } from '@heliograph/database';
import { KEY_ERRORS, ApiErrors, TakesKey } from '@heliograph/service-kit';
import { Caller, RequireKey } from './key.guard';
import { KeyUses } from './key-uses';
import { callerIdOf, isUnrestricted, type Tenant } from './principal';

class Identity {
  @ApiProperty()
  ok: boolean;
  @ApiProperty({ format: 'uuid' })
  keyId: string;
  @ApiProperty()
  name: string;
  @ApiProperty({ format: 'uuid' })
  organizationId: string;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: '`null` for a key that is not bound to a workspace',
  })
  workspaceId: string | null;
  @ApiProperty({ type: [String] })
  scopes: string[];
  @ApiProperty({ description: '`true` for a key without scopes, which has full access' })
  unrestricted: boolean;
  @ApiProperty({ type: String, nullable: true })
  expiresAt: string | null;
  @ApiProperty()
  createdAt: string;
  @ApiProperty({ type: String, nullable: true })
  lastUsedAt: string | null;
}

/** `GET /api/me`, served by every messaging API. */
@ApiTags('Identity')
@TakesKey()
@ApiErrors(...KEY_ERRORS)
@Controller('api/me')
export class MeController {
  constructor(private readonly uses: KeyUses) {}

  @Get()
  @RequireKey()
  @ApiOperation({
    operationId: 'getMe',
    summary: 'Get the identity of the API key',
    description: 'Use it to check a key: it returns its scopes, its organization, its workspace and its expiry.',
    servers: [{ url: '/' }],
  } as object)
  @ApiResponse({ status: 200, type: Identity })
  async me(@Caller() caller: Tenant): Promise<Identity> {
    const keyId = callerIdOf(caller);
    const lastUsedAt = await this.uses.lastUse(keyId);
    return {
      ok: true,
      keyId,
      name: caller.name,
      organizationId: caller.organizationId,
      workspaceId: caller.workspaceId,
      scopes: [...caller.scopes],
      unrestricted: isUnrestricted(caller),
      expiresAt: caller.expiresAt && toMessagingTimestamp(caller.expiresAt),
      createdAt: toMessagingTimestamp(caller.createdAt),
      lastUsedAt: lastUsedAt && toMessagingTimestamp(lastUsedAt),
    };
  }
}
