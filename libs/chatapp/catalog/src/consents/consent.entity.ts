import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

export const CONSENT_STATUSES = ['opted_in', 'opted_out', 'pending'] as const;
export type ConsentStatus = (typeof CONSENT_STATUSES)[number];

/** Whether an organization may send to a number. */
@Entity({ schema: 'chatapp', name: 'consents' })
@Index('consents_number', ['organizationId', 'number'], { unique: true })
@Index('consents_updated', ['organizationId', 'updatedAt'])
@Check('consents_status_check', `status IN ('opted_in', 'opted_out', 'pending')`)
export class ChatappConsent {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'consents_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  /** Digits after a plus. */
  @Column('text')
  number: string;

  @Column('text')
  status: ConsentStatus;

  /** Origin of the consent, such as `api`, `keyword_stop` or `send`. */
  @Column('text')
  source: string;

  @Column('text', { nullable: true })
  note: string | null;

  /** Timestamp of the newest applied keyword; an older keyword that arrives late is ignored. */
  @Column('timestamptz', { name: 'keyword_at', nullable: true })
  keywordAt: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
