import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ROLES, SCOPES, type Role } from '@heliograph/contracts';
import type { UsedKey } from '@heliograph/auth';
import { v1Timestamp } from '@heliograph/service-kit';
import { One, ListOf } from '../http/answers';
import { ChangesOf } from '../http/changes-of';
import { optionalTimestamp } from '../http/schemas';
import {
  IsNonBlankText,
  Optional,
  OptionalNullable,
  IsInteger,
  IsTextArray,
  IsFutureTimestamp,
  IsRole,
} from '../http/rules';

/**
 * Maximum time during which both secrets are valid after a rotation. It is sufficient to deploy the new secret
 * everywhere.
 */
const MAX_OVERLAP_SECONDS = 30 * 24 * 3_600;

export class KeyRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  name: string;
  @ApiProperty({ description: 'Last four characters of the secret' })
  lastFour: string;
  @ApiProperty({
    enum: SCOPES,
    isArray: true,
    description: 'Scopes of the key. A key with an empty list is unrestricted.',
  })
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
  @ApiProperty(optionalTimestamp)
  expiresAt: string | null;
  @ApiProperty(optionalTimestamp)
  revokedAt: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time at which the previous secret expires; `null` if no rotation is pending',
  })
  previousSecretExpiresAt: string | null;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time of the last use, accurate to a few seconds',
  })
  lastUsedAt: string | null;

  static of({ key, lastUsedAt }: UsedKey): KeyRecord {
    const { id, name, lastFour, scopes, role, workspaceId, previousExpiresAt } = key;
    return {
      id,
      name,
      lastFour,
      scopes,
      role,
      workspaceId,
      expiresAt: v1Timestamp(key.expiresAt),
      revokedAt: v1Timestamp(key.revokedAt),
      previousSecretExpiresAt: v1Timestamp(
        previousExpiresAt && previousExpiresAt > new Date() ? previousExpiresAt : null,
      ),
      createdAt: key.createdAt.toISOString(),
      lastUsedAt: v1Timestamp(lastUsedAt),
    };
  }
}

export class OneKey extends One('apiKey', KeyRecord) {}

export class NewKey extends OneKey {
  @ApiProperty({ description: 'The complete API key, returned only in this response' })
  key: string;
}

export class KeyList extends ListOf('apiKeys', KeyRecord) {}

export class CreateKeyRequest {
  @ApiProperty({ example: 'production' })
  @IsNonBlankText(200)
  name: string;
  @ApiPropertyOptional({
    enum: SCOPES,
    isArray: true,
    default: [],
    description: 'Scopes of the key. A key with an empty list is unrestricted',
  })
  @Optional()
  @IsTextArray(SCOPES.length, 50)
  scopes: string[] = [];
  @ApiPropertyOptional({ enum: ROLES, default: 'member', description: 'Role of the key in the account API' })
  @Optional()
  @IsRole()
  role: Role = 'member';
  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Workspace to which the key is bound',
  })
  @OptionalNullable()
  @IsNonBlankText(100)
  workspaceId: string | null = null;
  @ApiPropertyOptional(optionalTimestamp)
  @OptionalNullable()
  @IsFutureTimestamp()
  expiresAt: string | null = null;
}

export class ChangeKeyRequest extends ChangesOf(CreateKeyRequest, ['name', 'scopes', 'role', 'expiresAt']) {}

export class RotateKeyRequest {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_OVERLAP_SECONDS,
    default: 0,
    description: 'Time in seconds during which the previous secret remains valid',
  })
  @Optional()
  @IsInteger(0, MAX_OVERLAP_SECONDS)
  overlapSeconds: number = 0;
}
