import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { CreditType } from '@heliograph/contracts';

export const PURCHASE_STATUSES = ['pending', 'paid', 'expired', 'refunded'] as const;
export type PurchaseStatus = (typeof PURCHASE_STATUSES)[number];

/** Credits that an organization can buy. The amount is in minor units of the currency. */
@Entity({ schema: 'billing', name: 'credit_packages' })
export class CreditPackage {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'credit_packages_pkey' })
  key: string;

  @Column('text', { name: 'credit_type' })
  creditType: CreditType;

  @Column('bigint')
  credits: number;

  @Column('bigint')
  amount: number;

  /** ISO 4217, upper case. */
  @Column('text')
  currency: string;
}

/** A purchase of credits. Its id is the `client_reference_id` of the checkout at the payment processor. */
@Entity({ schema: 'billing', name: 'purchases' })
@Index('purchases_organization', ['organizationId', 'id'])
@Index('purchases_payment', ['paymentId'], { unique: true, where: 'payment_id IS NOT NULL' })
@Check('purchases_status_check', `status IN ('pending', 'paid', 'expired', 'refunded')`)
export class Purchase {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'purchases_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'workspace_id' })
  workspaceId: string;

  @Column('text')
  status: PurchaseStatus;

  @Column('text')
  package: string;

  @Column('integer')
  quantity: number;

  @Column('text', { name: 'credit_type' })
  creditType: CreditType;

  /** Total of all packages. */
  @Column('bigint')
  credits: number;

  /** Total of all packages, in minor units. */
  @Column('bigint')
  amount: number;

  @Column('text')
  currency: string;

  /** Null until the processor has answered. */
  @Column('text', { name: 'checkout_id', nullable: true })
  checkoutId: string | null;

  @Column('text', { name: 'checkout_url', nullable: true })
  checkoutUrl: string | null;

  /** The payment at the processor, which refunds refer to. */
  @Column('text', { name: 'payment_id', nullable: true })
  paymentId: string | null;

  @Column('bigint', { name: 'amount_refunded', default: 0 })
  amountRefunded: number;

  /** Credits that refunds took back. */
  @Column('bigint', { name: 'credits_refunded', default: 0 })
  creditsRefunded: number;

  /** Credits of refunds that were spent already. */
  @Column('bigint', { name: 'credits_not_recovered', default: 0 })
  creditsNotRecovered: number;

  /** Credits that open disputes withhold. */
  @Column('bigint', { name: 'credits_frozen', default: 0 })
  creditsFrozen: number;

  /** Credits that open disputes claimed, including those that were spent already. */
  @Column('bigint', { name: 'credits_freeze_due', default: 0 })
  creditsFreezeDue: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  @Column('timestamptz', { name: 'paid_at', nullable: true })
  paidAt: Date | null;
}

/** The refunds of a payment. */
@Entity({ schema: 'billing', name: 'refunds' })
export class Refund {
  @PrimaryColumn('text', { name: 'payment_id', primaryKeyConstraintName: 'refunds_pkey' })
  paymentId: string;

  /** The highest refunded amount, for releases that do not know `amounts`. */
  @Column('bigint', { name: 'amount_refunded' })
  amountRefunded: number;

  /**
   * Refunded amounts by currency (upper case), in minor units. The key is empty if the processor named no currency. The
   * object is empty if a release without this column stored the refund.
   */
  @Column('jsonb', { default: {} })
  amounts: Record<string, number>;
}

export type DisputeStatus = 'open' | 'won' | 'lost';

/** A dispute of a payment. */
@Entity({ schema: 'billing', name: 'disputes' })
@Index('disputes_payment', ['paymentId'])
@Check('disputes_status_check', `status IN ('open', 'won', 'lost')`)
export class Dispute {
  /** Id assigned by the processor. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'disputes_pkey' })
  id: string;

  @Column('text', { name: 'payment_id' })
  paymentId: string;

  /** Disputed amount in minor units; null for the whole payment. */
  @Column('bigint', { nullable: true })
  amount: number | null;

  @Column('text', { nullable: true })
  currency: string | null;

  /** `won`: by the operator. */
  @Column('text')
  status: DisputeStatus;
}

/** Credits of a purchase that a dispute withholds from a workspace. */
@Entity({ schema: 'billing', name: 'frozen_credits' })
export class FrozenCredits {
  @PrimaryColumn('uuid', { name: 'purchase_id', primaryKeyConstraintName: 'frozen_credits_pkey' })
  purchaseId: string;

  @PrimaryColumn('uuid', { name: 'workspace_id', primaryKeyConstraintName: 'frozen_credits_pkey' })
  workspaceId: string;

  @Column('bigint')
  credits: number;
}
