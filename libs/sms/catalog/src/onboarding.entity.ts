import { Check, Column, Entity, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';

export const ONBOARDING_STATUSES = ['pending', 'approved', 'rejected'] as const;
export type OnboardingStatus = (typeof ONBOARDING_STATUSES)[number];

/** An organization's registration to send in one country. */
@Entity({ schema: 'sms', name: 'onboardings' })
@Index('onboardings_name', ['organizationId', 'name'], { unique: true })
@Index('onboardings_status', ['status', 'id'])
@Check('onboardings_status_check', `status IN ('pending', 'approved', 'rejected')`)
export class Onboarding {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'onboardings_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  name: string;

  /** ISO 3166 alpha-2: recipients must have numbers of this country. */
  @Column('text')
  country: string;

  @Column('text')
  status: OnboardingStatus;

  /** The entity's id in the country's DLT register. */
  @Column('text', { name: 'dlt_entity_id', nullable: true })
  dltEntityId: string | null;

  /** When its organization last asked for a decision; null where nobody recorded it. */
  @Column('timestamptz', { name: 'submitted_at', nullable: true })
  submittedAt: Date | null;

  @Column('timestamptz', { name: 'decided_at', nullable: true })
  decidedAt: Date | null;

  /** What the organization has to change; null unless the operator rejected it. */
  @Column('text', { name: 'rejection_reason', nullable: true })
  rejectionReason: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
