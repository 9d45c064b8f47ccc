import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { User } from '../user.entity';

/** A session of a browser. The cookie contains 256 random bits, of which only the SHA-256 is stored. */
@Entity({ schema: 'users', name: 'sessions' })
@Index('sessions_token', ['tokenHash'], { unique: true })
@Index('sessions_user', ['userId'])
export class Session {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'sessions_pkey' })
  id: string;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  @ManyToOne(() => User)
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'sessions_user_fkey' })
  user?: User;

  @Column('bytea', { name: 'token_hash' })
  tokenHash: Buffer;

  /** Current organization; null for the one joined first. */
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  /** Current workspace; null for the oldest one of the organization. */
  @Column('uuid', { name: 'workspace_id', nullable: true })
  workspaceId: string | null;

  @Column('text', { name: 'ip_address', nullable: true })
  ipAddress: string | null;

  @Column('text', { name: 'user_agent', nullable: true })
  userAgent: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;
}

/** A browser that a user has logged in with. Failures from other devices do not lock it out. */
@Entity({ schema: 'users', name: 'devices' })
@Index('devices_user', ['userId'])
export class Device {
  @PrimaryColumn('bytea', { name: 'token_hash', primaryKeyConstraintName: 'devices_pkey' })
  tokenHash: Buffer;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** A password reset. */
@Entity({ schema: 'users', name: 'password_resets' })
@Index('password_resets_user', ['userId'])
export class PasswordReset {
  @PrimaryColumn('bytea', { name: 'token_hash', primaryKeyConstraintName: 'password_resets_pkey' })
  tokenHash: Buffer;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}

/** The verification of an email address. */
@Entity({ schema: 'users', name: 'email_verifications' })
@Index('email_verifications_user', ['userId'])
@Index('email_verifications_mail_due', ['mailDueAt'], { where: 'mail_due_at IS NOT NULL' })
export class EmailVerification {
  @PrimaryColumn('bytea', { name: 'token_hash', primaryKeyConstraintName: 'email_verifications_pkey' })
  tokenHash: Buffer;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  /** Time when the email is to be sent; null if it was sent. */
  @Column('timestamptz', { name: 'mail_due_at', nullable: true })
  mailDueAt: Date | null;
}
