import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Session } from './session.entity';

/** A token that authenticates calls. Of its 256 random bits only the SHA-256 is stored. */
@Entity({ schema: 'users', name: 'access_tokens' })
@Index('access_tokens_session', ['sessionId'])
export class AccessToken {
  @PrimaryColumn('bytea', { name: 'token_hash', primaryKeyConstraintName: 'access_tokens_pkey' })
  tokenHash: Buffer;

  @Column('uuid', { name: 'session_id' })
  sessionId: string;

  @ManyToOne(() => Session, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'session_id', foreignKeyConstraintName: 'access_tokens_session_fkey' })
  session?: Session;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}

/** A token that is exchanged once for a new pair of tokens. */
@Entity({ schema: 'users', name: 'refresh_tokens' })
@Index('refresh_tokens_session', ['sessionId'])
export class RefreshToken {
  @PrimaryColumn('bytea', { name: 'token_hash', primaryKeyConstraintName: 'refresh_tokens_pkey' })
  tokenHash: Buffer;

  @Column('uuid', { name: 'session_id' })
  sessionId: string;

  @ManyToOne(() => Session, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'session_id', foreignKeyConstraintName: 'refresh_tokens_session_fkey' })
  session?: Session;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  /** Time of the exchange. A second use of the token ends the session. */
  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt: Date | null;
}
