import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A person. One address, one password, however many organizations. */
@Entity({ schema: 'users', name: 'users' })
@Index('users_email', ['email'], { unique: true })
export class User {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'users_pkey' })
  id: string;

  /** In lower case. */
  @Column('text')
  email: string;

  @Column('text')
  name: string;

  /** argon2id, in PHC notation. */
  @Column('text', { name: 'password_hash' })
  passwordHash: string;

  /** Base32; null: no second factor. */
  @Column('text', { name: 'totp_secret', nullable: true })
  totpSecret: string | null;

  /** Enrolled but not yet confirmed by a code. */
  @Column('text', { name: 'pending_totp_secret', nullable: true })
  pendingTotpSecret: string | null;

  /** The time step of the newest code that was used: neither it nor an older one works again. */
  @Column('bigint', { name: 'last_totp_step', default: 0 })
  lastTotpStep: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** Opens the door once, when the second factor is lost. */
@Entity({ schema: 'users', name: 'recovery_codes' })
export class RecoveryCode {
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'recovery_codes_pkey' })
  userId: string;

  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'recovery_codes_pkey' })
  hash: Buffer;
}
