import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ACTOR_KINDS, type ActorKind, type AuditEntry } from '@heliograph/audit';
import { ListOf } from '../http/answers';
import { PageQuery } from '../http/page.query';
import { optionalText } from '../http/schemas';
import { IsText, Optional, IsTimestamp } from '../http/rules';

export class AuditActor {
  @ApiProperty({ enum: ACTOR_KINDS })
  kind: ActorKind;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Id of the user or API key; `null` for the operator',
  })
  id: string | null;
  @ApiProperty({ description: 'Email address of the user or name of the API key at the time of the write' })
  name: string;
}

export class AuditTarget {
  @ApiProperty({ example: 'apikey' })
  type: string;
  @ApiProperty()
  id: string;
}

export class AuditRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ format: 'date-time' })
  at: string;
  @ApiProperty()
  actor: AuditActor;
  @ApiProperty({ example: 'apikey.created' })
  action: string;
  @ApiProperty()
  target: AuditTarget;
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  workspaceId: string | null;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'State before the write. For updates, it contains only the changed fields',
  })
  before: object | null;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  after: object | null;
  @ApiProperty(optionalText)
  ipAddress: string | null;
  @ApiProperty(optionalText)
  userAgent: string | null;
  @ApiProperty(optionalText)
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
  @ApiPropertyOptional({ example: 'apikey.created' })
  @Optional()
  @IsText(200)
  action?: string;

  @ApiPropertyOptional({ description: 'Returns entries of the user or API key with this id' })
  @Optional()
  @IsText(200)
  actorId?: string;

  @ApiPropertyOptional({ description: 'Returns entries about the object with this id' })
  @Optional()
  @IsText(200)
  targetId?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Returns entries at or after this time' })
  @Optional()
  @IsTimestamp()
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Returns entries at or before this time' })
  @Optional()
  @IsTimestamp()
  to?: string;
}
