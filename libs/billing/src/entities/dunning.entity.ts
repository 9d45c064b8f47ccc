import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The reminders, and the lock at their end, that a payer gets for what is not paid: the last time that it came to that. */
@Entity({ schema: 'billing', name: 'dunnings' })
@Index('dunnings_next_step_at', ['nextStepAt'], { where: 'next_step_at IS NOT NULL' })
@Index('dunnings_workspace', ['workspaceId'])
export class Dunning {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'dunnings_pkey' })
  customer: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'workspace_id' })
  workspaceId: string;

  /** Its day 0. */
  @Column('timestamptz', { name: 'first_failure_at' })
  firstFailureAt: Date;

  @Column('smallint', { name: 'steps_taken', default: 0 })
  stepsTaken: number;

  /** Null: there is nothing left to do. */
  @Column('timestamptz', { name: 'next_step_at', nullable: true })
  nextStepAt: Date | null;

  @Column('timestamptz', { name: 'locked_at', nullable: true })
  lockedAt: Date | null;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null;

  /** X-Request-Id of the call that it began with. */
  @Column('text', { name: 'correlation_id', nullable: true })
  correlationId: string | null;
}
