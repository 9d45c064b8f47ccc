import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Role } from '@heliograph/contracts';
import { User } from './user.entity';

/** Membership of a user in an organization. */
@Entity({ schema: 'users', name: 'members' })
@Index('members_user', ['userId'])
export class Member {
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'members_pkey' })
  organizationId: string;

  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'members_pkey' })
  userId: string;

  @ManyToOne(() => User)
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'members_user_fkey' })
  user?: User;

  @Column('text')
  role: Role;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** An invitation. The token is sent by email; only its SHA-256 is stored. */
@Entity({ schema: 'users', name: 'invitations' })
@Index('invitations_token', ['tokenHash'], { unique: true })
@Index('invitations_organization', ['organizationId', 'id'])
export class Invitation {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'invitations_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  /** Lower case. */
  @Column('text')
  email: string;

  @Column('text')
  role: Role;

  @Column('bytea', { name: 'token_hash' })
  tokenHash: Buffer;

  @Column('text', { name: 'invited_by' })
  invitedBy: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  @Column('timestamptz', { name: 'accepted_at', nullable: true })
  acceptedAt: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;
}
