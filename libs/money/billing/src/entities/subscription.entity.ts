import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A subscription as of its newest event. The timestamps are extremes, so events may arrive in any order. A timestamp
 * combines the creation time at the processor and the arrival number, as sortable text.
 */
@Entity({ schema: 'billing', name: 'subscriptions' })
@Index('subscriptions_workspace', ['workspaceId'])
export class Subscription {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'subscriptions_pkey' })
  customer: string;

  @PrimaryColumn('text', { name: 'subscription_id', primaryKeyConstraintName: 'subscriptions_pkey' })
  subscriptionId: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'workspace_id' })
  workspaceId: string;

  /** Status as reported by the processor. */
  @Column('text')
  status: string;

  @Column('text')
  plan: string;

  @Column('timestamptz', { name: 'current_period_end', nullable: true })
  currentPeriodEnd: Date | null;

  @Column('boolean', { name: 'cancel_at_period_end', default: false })
  cancelAtPeriodEnd: boolean;

  /** Start of the subscription: the earliest start that an event states, otherwise the oldest event. */
  @Column('text')
  began: string;

  /** Timestamp of the event that set the status. */
  @Column('text')
  newest: string;

  @Column('text', { nullable: true })
  deleted: string | null;

  /** Timestamp of the newest event with a plan, except deletions. */
  @Column('text', { nullable: true })
  planned: string | null;

  /** Timestamp of the newest event, except deletions, with a status that grants a plan. */
  @Column('text', { nullable: true })
  granted: string | null;

  /** Timestamp of the newest event with status active. */
  @Column('text', { nullable: true })
  activated: string | null;

  @Column('text', { nullable: true })
  paused: string | null;

  /** Timestamp of the newest event that ends pauses: `updated` with status active. */
  @Column('text', { nullable: true })
  resumed: string | null;
}
