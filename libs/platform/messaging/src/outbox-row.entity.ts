import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An event that is committed and not yet on the bus. */
@Entity({ schema: 'messaging', name: 'outbox' })
@Index('outbox_available_at', ['availableAt'])
export class OutboxRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'outbox_pkey' })
  id: string;

  /** The routing key. */
  @Column('text')
  type: string;

  @Column('json')
  payload: object;

  /** In the future for what is scheduled or backing off. */
  @Column('timestamptz', { name: 'available_at', default: () => 'now()' })
  availableAt: Date;

  /** Set for a retry, which concerns one queue alone. */
  @Column('text', { nullable: true })
  queue: string | null;

  @Column('integer', { default: 0 })
  attempt: number;
}
