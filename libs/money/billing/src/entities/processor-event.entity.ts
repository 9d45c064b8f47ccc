import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An event of the payment processor, stored once per id before it is acknowledged. */
@Entity({ schema: 'billing', name: 'events' })
@Index('events_settled', ['settledAt'], { where: 'settled_at IS NOT NULL' })
@Index('events_unsettled', ['arrival'], { where: 'settled_at IS NULL' })
export class ProcessorEvent {
  /** Id assigned by the processor. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'events_pkey' })
  id: string;

  @Column('text')
  type: string;

  /** Creation time at the processor, in whole seconds. */
  @Column('timestamptz')
  created: Date;

  /** Arrival number; orders events that were created in the same second. */
  @Column('bigint')
  arrival: number;

  /** Null if the event names no customer. */
  @Column('text', { nullable: true })
  customer: string | null;

  /** The body as signed. */
  @Column('json')
  payload: object;

  /** X-Request-Id of the request that delivered the event. */
  @Column('text', { name: 'correlation_id', nullable: true })
  correlationId: string | null;

  @Column('timestamptz', { name: 'received_at', default: () => 'now()' })
  receivedAt: Date;

  /** Time when the effects were committed. */
  @Column('timestamptz', { name: 'settled_at', nullable: true })
  settledAt: Date | null;
}
