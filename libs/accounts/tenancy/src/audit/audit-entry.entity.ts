import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export const ACTOR_KINDS = ['user', 'key', 'operator'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** An audited write. Entries are immutable. */
@Entity({ schema: 'audit', name: 'entries' })
@Index('entries_organization', ['organizationId', 'id'])
export class AuditEntry {
  /** UUIDv7: sorts by time. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'entries_pkey' })
  id: string;

  /** Null for writes that concern no organization, such as global rates. */
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  @Column('uuid', { name: 'workspace_id', nullable: true })
  workspaceId: string | null;

  @Column('text', { name: 'actor_kind' })
  actorKind: ActorKind;

  /** Id of a user or API key; null for the operator. */
  @Column('uuid', { name: 'actor_id', nullable: true })
  actorId: string | null;

  /** Email address or API key name at the time of the write. */
  @Column('text', { name: 'actor_name' })
  actorName: string;

  /** `<object>.<action>`, such as `apikey.created`. */
  @Column('text')
  action: string;

  @Column('text', { name: 'target_type' })
  targetType: string;

  @Column('text', { name: 'target_id' })
  targetId: string;

  /** State before the write; null for a creation. Contains no secrets. */
  @Column('jsonb', { nullable: true })
  before: object | null;

  /** State after the write; null for a deletion. Contains no secrets. */
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
