import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export const ACTOR_KINDS = ['user', 'key', 'operator'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** One write, as it was made. Never changed. */
@Entity({ schema: 'audit', name: 'entries' })
@Index('entries_organization', ['organizationId', 'id'])
export class AuditEntry {
  /** UUIDv7: sorts by time. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'entries_pkey' })
  id: string;

  /** Null for what concerns no organization, such as a rate of the platform. */
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  @Column('uuid', { name: 'workspace_id', nullable: true })
  workspaceId: string | null;

  @Column('text', { name: 'actor_kind' })
  actorKind: ActorKind;

  /** User or key; null for the platform operator. */
  @Column('uuid', { name: 'actor_id', nullable: true })
  actorId: string | null;

  /** Email address or key name of that time. */
  @Column('text', { name: 'actor_name' })
  actorName: string;

  /** `<what>.<done>`, such as `apikey.created`. */
  @Column('text')
  action: string;

  @Column('text', { name: 'target_type' })
  targetType: string;

  @Column('text', { name: 'target_id' })
  targetId: string;

  /** What was there; null when it was made. Never a secret. */
  @Column('jsonb', { nullable: true })
  before: object | null;

  /** What is there now; null when it was removed. Never a secret. */
  @Column('jsonb', { nullable: true })
  after: object | null;

  @Column('text', { name: 'ip_address', nullable: true })
  ipAddress: string | null;

  @Column('text', { name: 'user_agent', nullable: true })
  userAgent: string | null;

  @Column('text', { name: 'request_id', nullable: true })
  requestId: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
