import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** One event in one queue of the local bus. */
@Entity({ schema: 'messaging', name: 'local_deliveries' })
@Index('local_deliveries_queue', ['queue', 'id'])
export class LocalDelivery {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'local_deliveries_pkey',
  })
  id: number;

  @Column('text')
  queue: string;

  @Column('uuid', { name: 'event_id' })
  eventId: string;

  @Column('text')
  type: string;

  @Column('json')
  payload: object;

  @Column('integer')
  attempt: number;

  @Column('timestamptz', { name: 'leased_until', nullable: true })
  leasedUntil: Date | null;

  /** Why the last attempt failed. */
  @Column('text', { nullable: true })
  error: string | null;

  /** Time of dead-lettering. */
  @Column('timestamptz', { name: 'dead_at', nullable: true })
  deadAt: Date | null;
}
