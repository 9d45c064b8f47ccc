import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The dunning of a payer: reminders and finally a lock. Holds the most recent one. */
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

  /** Day 0 of the schedule. */
  @Column('timestamptz', { name: 'first_failure_at' })
  firstFailureAt: Date;

  @Column('smallint', { name: 'steps_taken', default: 0 })
  stepsTaken: number;

  /** Null if no step remains. */
  @Column('timestamptz', { name: 'next_step_at', nullable: true })
  nextStepAt: Date | null;

  @Column('timestamptz', { name: 'locked_at', nullable: true })
  lockedAt: Date | null;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null;

  /** X-Request-Id of the request that started the dunning. */
  @Column('text', { name: 'correlation_id', nullable: true })
  correlationId: string | null;
}
