import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The first answer that a caller got for an Idempotency-Key. */
@Entity({ schema: 'idempotency', name: 'answers' })
@Index('answers_expires_at', ['expiresAt'])
export class IdempotentAnswer {
  @PrimaryColumn('uuid', { name: 'caller_id', primaryKeyConstraintName: 'answers_pkey' })
  callerId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'answers_pkey' })
  endpoint: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'answers_pkey' })
  key: string;

  /** SHA-256 of the request, to detect another request with the same key. */
  @Column('text')
  fingerprint: string;

  @Column('smallint')
  status: number;

  @Column('json')
  body: object;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}
