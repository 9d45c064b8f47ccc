import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { EmailDomain } from './domain.entity';

/** An address that an organization sends from. */
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

  /** The address in lower case: there is no other sender of that one. */
  @Column('text', { name: 'address_key' })
  addressKey: string;

  /** Shown before the address. */
  @Column('text', { nullable: true })
  name: string | null;

  /** Sends what names no sender. */
  @Column('boolean', { name: 'is_main' })
  isMain: boolean;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
