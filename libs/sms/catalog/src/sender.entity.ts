import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { Onboarding } from './onboarding.entity';

/** A registered sender header. */
@Entity({ schema: 'sms', name: 'senders' })
@Index('senders_header', ['organizationId', 'header'], { unique: true })
export class Sender {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'senders_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'onboarding_id' })
  onboardingId: string;

  @ManyToOne(() => Onboarding)
  @JoinColumn({ name: 'onboarding_id', foreignKeyConstraintName: 'senders_onboarding_fkey' })
  onboarding?: Onboarding;

  @Column('text')
  header: string;

  @Column('text', { name: 'dlt_sender_id', nullable: true })
  dltSenderId: string | null;

  @Column('boolean', { name: 'is_active' })
  isActive: boolean;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
