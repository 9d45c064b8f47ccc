import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ROLES, SCOPES, type Role } from '@heliograph/contracts';
import type { ApiKey, UsedKey } from '@heliograph/auth';
import {
  IsNonBlankText,
  IsFutureTimestamp,
  IsRole,
  IsTextArray,
  IsInteger,
  Optional,
  OptionalNullable,
} from '../http/rules';

/**
 * Long enough to deploy the new secret everywhere, short enough that the old one does not remain valid indefinitely.
 */
const MAX_OVERLAP_SECONDS = 30 * 24 * 3_600;

export class KeyRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  name: string;
  @ApiProperty({ description: 'Last four characters of the secret' })
  lastFour: string;
  @ApiProperty({ enum: SCOPES, isArray: true, description: 'Scopes of the key. An empty list means unrestricted.' })
  scopes: string[];
  @ApiProperty({ enum: ROLES })
  role: Role;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Workspace that the key is bound to; `null` for an unbound key',
  })
  workspaceId: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expiresAt: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  revokedAt: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the previous secret stops working; `null` without a pending rotation',
  })
  previousSecretExpiresAt: string | null;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Accurate to a few seconds' })
  lastUsedAt: string | null;

  static of(key: ApiKey, lastUsedAt: Date | null = null): KeyRecord {
    const { id, name, lastFour, scopes, role, workspaceId, previousExpiresAt } = key;
    return {
      id,
      name,
      lastFour,
      scopes,
      role,
      workspaceId,
      expiresAt: key.expiresAt?.toISOString() ?? null,
      revokedAt: key.revokedAt?.toISOString() ?? null,
      previousSecretExpiresAt:
        previousExpiresAt && previousExpiresAt > new Date() ? previousExpiresAt.toISOString() : null,
      createdAt: key.createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    };
  }

  static ofUsed({ key, lastUsedAt }: UsedKey): KeyRecord {
    return KeyRecord.of(key, lastUsedAt);
  }
}

export class OneKey {
  @ApiProperty()
  apiKey: KeyRecord;
}

export class NewKey extends OneKey {
  @ApiProperty({ description: 'The complete API key, returned only in this response' })
  key: string;
}

export class KeyList {
  @ApiProperty({ type: [KeyRecord] })
  apiKeys: KeyRecord[];
  @ApiPropertyOptional({ description: 'Present if there are more results' })
  nextCursor?: string;
}

export class CreateKeyRequest {
  @ApiProperty({ example: 'production' })
  @IsNonBlankText(200)
  name: string;
  @ApiPropertyOptional({ enum: SCOPES, isArray: true, default: [], description: 'An empty list means unrestricted' })
  @Optional()
  @IsTextArray(SCOPES.length, 50)
  scopes: string[] = [];
  @ApiPropertyOptional({ enum: ROLES, default: 'member', description: 'Role of the key in the account API' })
  @Optional()
  @IsRole()
  role: Role = 'member';
  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true, description: 'Binds the key to one workspace' })
  @OptionalNullable()
  @IsNonBlankText(100)
  workspaceId: string | null = null;
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true })
  @OptionalNullable()
  @IsFutureTimestamp()
  expiresAt: string | null = null;
}

export class ChangeKeyRequest {
  @ApiPropertyOptional()
  @Optional()
  @IsNonBlankText(200)
  name?: string;
  @ApiPropertyOptional({ enum: SCOPES, isArray: true })
  @Optional()
  @IsTextArray(SCOPES.length, 50)
  scopes?: string[];
  @ApiPropertyOptional({ enum: ROLES })
  @Optional()
  @IsRole()
  role?: Role;
  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    nullable: true,
    description: '`null`: the key does not expire',
  })
  @OptionalNullable()
  @IsFutureTimestamp()
  expiresAt?: string | null;
}

export class RotateKeyRequest {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_OVERLAP_SECONDS,
    default: 0,
    description: 'Time in seconds that the previous secret remains valid',
  })
  @Optional()
  @IsInteger(0, MAX_OVERLAP_SECONDS)
  overlapSeconds: number = 0;
}
