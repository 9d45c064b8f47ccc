import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What the payment processor told of, once per event id; stored before it is acknowledged. */
@Entity({ schema: 'billing', name: 'events' })
@Index('events_unsettled', ['arrival'], { where: 'settled_at IS NULL' })
export class ProcessorEvent {
  /** The processor's. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'events_pkey' })
  id: string;

  @Column('text')
  type: string;

  /** When the processor made it: whole seconds. */
  @Column('timestamptz')
  created: Date;

  /** Rises in the order in which events came: decides between two of the same second. */
  @Column('bigint')
  arrival: number;

  /** Null where the event names none. */
  @Column('text', { nullable: true })
  customer: string | null;

  /** The body as it was signed. */
  @Column('json')
  payload: object;

  /** X-Request-Id of the call that brought it. */
  @Column('text', { name: 'correlation_id', nullable: true })
  correlationId: string | null;

  @Column('timestamptz', { name: 'received_at', default: () => 'now()' })
  receivedAt: Date;

  /** When its effects were committed. */
  @Column('timestamptz', { name: 'settled_at', nullable: true })
  settledAt: Date | null;
}
