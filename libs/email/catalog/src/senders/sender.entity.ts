import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { EmailDomain } from '../domains/domain.entity';

/** A sender address of an organization. */
@Entity({ schema: 'email', name: 'senders' })
@Index('senders_address', ['organizationId', 'addressKey'], { unique: true })
@Index('senders_main', ['organizationId'], { unique: true, where: 'is_main' })
@Index('senders_domain', ['domainId'])
export class EmailSender {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'senders_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'domain_id' })
  domainId: string;

  @ManyToOne(() => EmailDomain)
  @JoinColumn({ name: 'domain_id', foreignKeyConstraintName: 'senders_domain_fkey' })
  domain?: EmailDomain;

  @Column('text')
  address: string;

  /** The address in lower case; unique in the organization. */
  @Column('text', { name: 'address_key' })
  addressKey: string;

  /** Display name. */
  @Column('text', { nullable: true })
  name: string | null;

  /** The default sender. */
  @Column('boolean', { name: 'is_main' })
  isMain: boolean;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
