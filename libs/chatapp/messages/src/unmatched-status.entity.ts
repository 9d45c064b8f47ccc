import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A status whose message is not known yet: it arrived before the answer to the send was stored. */
@Entity({ schema: 'chatapp', name: 'unmatched_statuses' })
@Index('unmatched_statuses_received_at', ['receivedAt'])
export class ChatappUnmatchedStatus {
  @PrimaryColumn('text', { name: 'upstream_id', primaryKeyConstraintName: 'unmatched_statuses_pkey' })
  upstreamId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'unmatched_statuses_pkey' })
  status: string;

  @Column('timestamptz', { name: 'occurred_at' })
  occurredAt: Date;

  @Column('timestamptz', { name: 'received_at', default: () => 'now()' })
  receivedAt: Date;

  @Column('integer', { name: 'error_code', nullable: true })
  errorCode: number | null;

  @Column('text', { nullable: true })
  error: string | null;
}
