import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ROLES, SCOPES, type Role } from '@heliograph/contracts';
import type { ApiKey, UsedKey } from '@heliograph/auth';
import { IsFilledText, IsFutureMoment, IsRole, IsTextList, IsWhole, MayBeAbsent, MayBeEmpty } from '../http/rules';

/** Long enough to move any deployment to the new secret, short enough that the old one is forgotten. */
const MAX_OVERLAP_SECONDS = 30 * 24 * 3_600;

export class KeyRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  name: string;
  @ApiProperty({ description: 'The end of the secret, to recognize it by' })
  lastFour: string;
  @ApiProperty({ enum: SCOPES, isArray: true, description: 'Empty: unrestricted' })
  scopes: string[];
  @ApiProperty({ enum: ROLES })
  role: Role;
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Null: not bound to one workspace' })
  workspaceId: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expiresAt: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  revokedAt: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Until when the secret before the rotation works',
  })
  previousSecretExpiresAt: string | null;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'To within some seconds' })
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
  @ApiProperty({ description: 'The whole key. It is shown this once' })
  key: string;
}

export class KeyList {
  @ApiProperty({ type: [KeyRecord] })
  apiKeys: KeyRecord[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

export class CreateKeyRequest {
  @ApiProperty({ example: 'production' })
  @IsFilledText(200)
  name: string;
  @ApiPropertyOptional({ enum: SCOPES, isArray: true, default: [], description: 'Empty: unrestricted' })
  @MayBeAbsent()
  @IsTextList(SCOPES.length, 50)
  scopes: string[] = [];
  @ApiPropertyOptional({ enum: ROLES, default: 'member', description: 'What it may do in the account API' })
  @MayBeAbsent()
  @IsRole()
  role: Role = 'member';
  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true, description: 'Binds it to one workspace' })
  @MayBeEmpty()
  @IsFilledText(100)
  workspaceId: string | null = null;
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true })
  @MayBeEmpty()
  @IsFutureMoment()
  expiresAt: string | null = null;
}

export class ChangeKeyRequest {
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsFilledText(200)
  name?: string;
  @ApiPropertyOptional({ enum: SCOPES, isArray: true })
  @MayBeAbsent()
  @IsTextList(SCOPES.length, 50)
  scopes?: string[];
  @ApiPropertyOptional({ enum: ROLES })
  @MayBeAbsent()
  @IsRole()
  role?: Role;
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true, description: 'Null: never' })
  @MayBeEmpty()
  @IsFutureMoment()
  expiresAt?: string | null;
}

export class RotateKeyRequest {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_OVERLAP_SECONDS,
    default: 0,
    description: 'How long the secret before works on',
  })
  @MayBeAbsent()
  @IsWhole(0, MAX_OVERLAP_SECONDS)
  overlapSeconds: number = 0;
}
