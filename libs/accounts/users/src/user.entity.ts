import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A user has one address and one password, for any number of organizations. */
@Entity({ schema: 'users', name: 'users' })
@Index('users_email', ['email'], { unique: true })
export class User {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'users_pkey' })
  id: string;

  /** Lower case. */
  @Column('text')
  email: string;

  @Column('text')
  name: string;

  /** argon2id in PHC notation. */
  @Column('text', { name: 'password_hash' })
  passwordHash: string;

  /** Sealed: `TOTP_SECRET`; null if multi-factor authentication is disabled. */
  @Column('text', { name: 'totp_secret', nullable: true })
  totpSecret: string | null;

  /** Secret of a pending enrollment, sealed: `PENDING_TOTP_SECRET`. */
  @Column('text', { name: 'pending_totp_secret', nullable: true })
  pendingTotpSecret: string | null;

  /** Time step of the newest used code; this and older codes are rejected. */
  @Column('bigint', { name: 'last_totp_step', default: 0 })
  lastTotpStep: number;

  /** Time when the user verified the address; null for a registered user who has not verified it. */
  @Column('timestamptz', { name: 'email_verified_at', nullable: true, default: () => 'now()' })
  emailVerifiedAt: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** A single-use recovery code. */
@Entity({ schema: 'users', name: 'recovery_codes' })
export class RecoveryCode {
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'recovery_codes_pkey' })
  userId: string;

  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'recovery_codes_pkey' })
  hash: Buffer;
}
