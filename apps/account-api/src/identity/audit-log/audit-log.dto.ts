import type { Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { ACTOR_KINDS, type AuditEntry } from '@heliograph/tenancy';
import { ListOf } from '../../http/answers';
import { PageQuery } from '../../http/page.query';
import { IsText, Optional, IsTimestamp } from '../../http/rules';

export class AuditActor {
  kind: (typeof ACTOR_KINDS)[number];
  /** Id of the user or API key; `null` for the operator. */
  id: Uuid | null;
  /** Email address of the user or name of the API key at the time of the write. */
  name: string;
}

export class AuditTarget {
  /** @example apikey */
  type: string;
  id: string;
}

export class AuditRecord {
  id: Uuid;
  at: Timestamp;
  actor: AuditActor;
  /** @example apikey.created */
  action: string;
  target: AuditTarget;
  workspaceId: Uuid | null;
  /** State before the write. For updates, it contains only the changed fields. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  before: object | null;
  @ApiProperty({ type: 'object', additionalProperties: true })
  after: object | null;
  ipAddress: string | null;
  userAgent: string | null;
  requestId: string | null;

  static of(entry: AuditEntry): AuditRecord {
    const { id, createdAt, actorKind, actorId, actorName, action, targetType, targetId, workspaceId } = entry;
    const { before, after, ipAddress, userAgent, requestId } = entry;
    return {
      id,
      at: createdAt.toISOString(),
      actor: { kind: actorKind, id: actorId, name: actorName },
      action,
      target: { type: targetType, id: targetId },
      workspaceId,
      before,
      after,
      ipAddress,
      userAgent,
      requestId,
    };
  }
}

export class AuditLogPage extends ListOf('entries', AuditRecord) {}

export class AuditQuery extends PageQuery {
  /** @example apikey.created */
  @Optional()
  @IsText(200)
  action?: string;

  /** Returns entries of the user or API key with this id. */
  @Optional()
  @IsText(200)
  actorId?: string;

  /** Returns entries about the object with this id. */
  @Optional()
  @IsText(200)
  targetId?: string;

  /** Returns entries at or after this time. */
  @Optional()
  @IsTimestamp()
  from?: Timestamp;

  /** Returns entries at or before this time. */
  @Optional()
  @IsTimestamp()
  to?: Timestamp;
}
