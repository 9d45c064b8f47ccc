import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A subscription as the newest event about it has it. The moments beside it are extremes, so that events may come in any
 * order: a moment is when the processor made an event and when it came, as text that sorts.
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

  /** As the processor calls it. */
  @Column('text')
  status: string;

  @Column('text')
  plan: string;

  @Column('timestamptz', { name: 'current_period_end', nullable: true })
  currentPeriodEnd: Date | null;

  @Column('boolean', { name: 'cancel_at_period_end', default: false })
  cancelAtPeriodEnd: boolean;

  /** Of the oldest event about it. */
  @Column('text')
  began: string;

  /** Of the event that the status is from. */
  @Column('text')
  newest: string;

  @Column('text', { nullable: true })
  deleted: string | null;

  /** Of the newest event, but its deletion, that named a plan. */
  @Column('text', { nullable: true })
  planned: string | null;

  /** Of the newest event that called it active. */
  @Column('text', { nullable: true })
  activated: string | null;

  @Column('text', { nullable: true })
  paused: string | null;

  /** Of the newest event that ends any pause: `updated` with status active. */
  @Column('text', { nullable: true })
  resumed: string | null;
}
