import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A committed event that is not published yet. */
@Entity({ schema: 'messaging', name: 'outbox' })
@Index('outbox_available_at', ['availableAt'])
export class OutboxRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'outbox_pkey' })
  id: string;

  /** Event type, which is the routing key. */
  @Column('text')
  type: string;

  @Column('json')
  payload: object;

  /** In the future for scheduled events and retries. */
  @Column('timestamptz', { name: 'available_at', default: () => 'now()' })
  availableAt: Date;

  /** Set for a retry, which is for one queue only. */
  @Column('text', { nullable: true })
  queue: string | null;

  @Column('integer', { default: 0 })
  attempt: number;
}
