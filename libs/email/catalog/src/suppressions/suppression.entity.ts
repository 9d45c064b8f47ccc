import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { EVERY_SCOPE } from './unsubscribe-scope';

/** Sorted by priority: a later reason replaces an earlier one. */
export const SUPPRESSION_REASONS = ['manual', 'bounced', 'unsubscribed', 'complained'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/** An address that an organization sends no email, or no email of a scope. */
@Entity({ schema: 'email', name: 'suppressions' })
@Check('suppressions_reason_check', `reason IN ('manual', 'bounced', 'unsubscribed', 'complained')`)
export class EmailSuppression {
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'suppressions_pkey' })
  organizationId: string;

  /** The address in lower case. */
  @PrimaryColumn('text', { name: 'address_key', primaryKeyConstraintName: 'suppressions_pkey' })
  addressKey: string;

  /** `all`, `marketing`, or the name of a list. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'suppressions_pkey', default: EVERY_SCOPE })
  scope: string;

  @Column('text')
  address: string;

  @Column('text')
  reason: SuppressionReason;

  /** The send that caused the suppression; null if there is none. */
  @Column('uuid', { name: 'message_id', nullable: true })
  messageId: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
