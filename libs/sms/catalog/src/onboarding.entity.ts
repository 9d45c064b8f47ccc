import { Check, Column, Entity, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';

export const ONBOARDING_STATUSES = ['pending', 'approved', 'rejected'] as const;
export type OnboardingStatus = (typeof ONBOARDING_STATUSES)[number];

/** The registration of an organization to send messages to one country. */
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

  /** Id of the entity in the DLT register of the country. */
  @Column('text', { name: 'dlt_entity_id', nullable: true })
  dltEntityId: string | null;

  /** Time of the last submission; `null` if it was not recorded. */
  @Column('timestamptz', { name: 'submitted_at', nullable: true })
  submittedAt: Date | null;

  @Column('timestamptz', { name: 'decided_at', nullable: true })
  decidedAt: Date | null;

  /** What the organization must change; `null` unless the operator rejected the onboarding. */
  @Column('text', { name: 'rejection_reason', nullable: true })
  rejectionReason: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
