import { ApiProperty } from '@nestjs/swagger';
import { ROLES, SCOPES, type Integer, type Timestamp, type Uuid } from '@heliograph/contracts';
import { modeOf, MODES, type UsedKey } from '@heliograph/auth';
import { v1Timestamp } from '@heliograph/service-kit';
import { One, ListOf } from '../../http/answers';
import { ChangesOf } from '../../http/changes-of';
import { PageQuery } from '../../http/page.query';
import {
  IsNonBlankText,
  Optional,
  OptionalNullable,
  IsInteger,
  IsTextArray,
  IsFutureTimestamp,
  IsRole,
  IsOneOf,
} from '../../http/rules';

/**
 * Maximum time during which both secrets are valid after a rotation. It is sufficient to deploy the new secret
 * everywhere.
 */
const MAX_OVERLAP_SECONDS = 30 * 24 * 3_600;

export class KeyRecord {
  id: Uuid;
  name: string;
  /** Last four characters of the secret. */
  lastFour: string;
  /** Scopes of the key. A key with an empty list is unrestricted. */
  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: string[];
  role: (typeof ROLES)[number];
  /** Keys of the mode `test` reach no upstream and no live balance. */
  mode: (typeof MODES)[number];
  /** Workspace that the key is bound to; `null` for an unbound key. */
  workspaceId: Uuid | null;
  expiresAt: Timestamp | null;
  revokedAt: Timestamp | null;
  /** Time at which the previous secret expires; `null` if no rotation is pending. */
  previousSecretExpiresAt: Timestamp | null;
  createdAt: Timestamp;
  /** Time of the last use, accurate to a few seconds. */
  lastUsedAt: Timestamp | null;

  static of({ key, lastUsedAt }: UsedKey): KeyRecord {
    const { id, name, lastFour, scopes, role, workspaceId, previousExpiresAt } = key;
    return {
      id,
      name,
      lastFour,
      scopes,
      role,
      mode: modeOf(key.organizationId),
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
  /** The complete API key, returned only in this response. */
  key: string;
}

export class KeyList extends ListOf('apiKeys', KeyRecord) {}

export class CreateKeyRequest {
  /** @example production */
  @IsNonBlankText(200)
  name: string;
  /**
   * Scopes of the key. A key with an empty list is unrestricted.
   * @default []
   */
  @ApiProperty({ enum: SCOPES, isArray: true })
  @Optional()
  @IsTextArray(SCOPES.length, 50)
  scopes: string[] = [];
  /**
   * Role of the key in the account API.
   * @default member
   */
  @Optional()
  @IsRole()
  role: (typeof ROLES)[number] = 'member';
  /**
   * Mode of the key: `test` for a key that reaches no upstream and no live balance. The default is the mode of the caller, which is
   * `live` unless the caller uses a test key or the header `Heliograph-Mode: test`.
   */
  @Optional()
  @IsOneOf(MODES)
  mode?: (typeof MODES)[number];
  /** Workspace to which the key is bound. */
  @OptionalNullable()
  @IsNonBlankText(100)
  workspaceId: Uuid | null = null;
  @OptionalNullable()
  @IsFutureTimestamp()
  expiresAt: Timestamp | null = null;
}

export class KeyQuery extends PageQuery {
  /** Mode of the keys; by default that of the caller. */
  @Optional()
  @IsOneOf(MODES)
  mode?: (typeof MODES)[number];
}

export class ChangeKeyRequest extends ChangesOf(CreateKeyRequest, ['name', 'scopes', 'role', 'expiresAt']) {}

export class RotateKeyRequest {
  /**
   * Time in seconds during which the previous secret remains valid.
   * @default 0
   */
  @ApiProperty({ minimum: 0, maximum: MAX_OVERLAP_SECONDS })
  @Optional()
  @IsInteger(0, MAX_OVERLAP_SECONDS)
  overlapSeconds: Integer = 0;
}
