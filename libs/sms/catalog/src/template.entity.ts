import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { Onboarding } from './onboarding.entity';

/** A registered message text with placeholders. */
@Entity({ schema: 'sms', name: 'templates' })
@Index('templates_name', ['onboardingId', 'name'], { unique: true })
@Index('templates_organization', ['organizationId', 'name'])
export class Template {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'templates_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'onboarding_id' })
  onboardingId: string;

  @ManyToOne(() => Onboarding)
  @JoinColumn({ name: 'onboarding_id', foreignKeyConstraintName: 'templates_onboarding_fkey' })
  onboarding?: Onboarding;

  @Column('text')
  name: string;

  @Column('text')
  body: string;

  @Column('text', { name: 'dlt_template_id', nullable: true })
  dltTemplateId: string | null;

  @Column('boolean', { name: 'is_active' })
  isActive: boolean;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
