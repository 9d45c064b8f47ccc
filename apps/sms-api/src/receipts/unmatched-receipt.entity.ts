import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** An unmatched receipt: it arrived before the response to its submit was stored. */
@Entity({ schema: 'sms', name: 'parked_receipts' })
@Index('parked_receipts_upstream_id', ['upstreamId', 'carrier'])
export class UnmatchedReceipt {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'parked_receipts_pkey',
  })
  id: number;

  @Column('text')
  carrier: string;

  @Column('text', { name: 'upstream_id' })
  upstreamId: string;

  @Column('text')
  state: string;

  @Column('text', { name: 'error_code', nullable: true })
  errorCode: string | null;

  @Column('timestamptz', { name: 'done_at' })
  doneAt: Date;

  @Column('timestamptz', { name: 'parked_at', default: () => 'now()' })
  receivedAt: Date;
}
