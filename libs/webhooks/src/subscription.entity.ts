import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export type SubscriptionStatus = 'healthy' | 'failing' | 'disabled';

/** A webhook endpoint and the events that it receives. */
@Entity({ schema: 'webhooks', name: 'subscriptions' })
@Index('subscriptions_organization', ['organizationId', 'id'])
export class Subscription {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'subscriptions_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  /** Null: events of the whole organization. */
  @Column('uuid', { name: 'workspace_id', nullable: true })
  workspaceId: string | null;

  @Column('text')
  url: string;

  /** Event types, groups such as `sms.*`, or `*`. */
  @Column('text', { array: true })
  events: string[];

  @Column('text', { nullable: true })
  description: string | null;

  /** Static headers of every delivery. */
  @Column('jsonb', { default: {} })
  headers: Record<string, string>;

  @Column('boolean', { default: true })
  active: boolean;

  /** The format of the payloads. */
  @Column('text', { name: 'api_version' })
  apiVersion: string;

  /** Sealed. */
  @Column('text')
  secret: string;

  /** Sealed; also signs deliveries for a time after a rotation. */
  @Column('text', { name: 'previous_secret', nullable: true })
  previousSecret: string | null;

  @Column('timestamptz', { name: 'previous_secret_until', nullable: true })
  previousSecretUntil: Date | null;

  @Column('timestamptz', { name: 'disabled_at', nullable: true })
  disabledAt: Date | null;

  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason: string | null;

  /** Time of the first failure since the last success. */
  @Column('timestamptz', { name: 'failing_since', nullable: true })
  failingSince: Date | null;

  /** Deliveries that have failed since the last success. */
  @Column('integer', { default: 0 })
  failures: number;

  /** Failed attempts in a row, which open the circuit. */
  @Column('integer', { name: 'failures_in_row', default: 0 })
  failuresInRow: number;

  /** End of the period in which the open circuit blocks deliveries; null: the circuit is closed. */
  @Column('timestamptz', { name: 'open_until', nullable: true })
  openUntil: Date | null;

  /** Time at which a worker last leased this endpoint. */
  @Column('timestamptz', { name: 'claimed_at', nullable: true })
  claimedAt: Date | null;

  /** The worker that makes the deliveries; null if no worker has a lease. */
  @Column('uuid', { name: 'leased_by', nullable: true })
  leasedBy: string | null;

  @Column('timestamptz', { name: 'leased_until', nullable: true })
  leasedUntil: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}

export function statusOf({ disabledAt, failures }: Pick<Subscription, 'disabledAt' | 'failures'>): SubscriptionStatus {
  if (disabledAt !== null) return 'disabled';
  return failures > 0 ? 'failing' : 'healthy';
}

/** The state of an endpoint without failures. */
export const CLEAN_SLATE = {
  disabledAt: null,
  disabledReason: null,
  failingSince: null,
  failures: 0,
  failuresInRow: 0,
  openUntil: null,
} as const satisfies Partial<Subscription>;
