import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A business account at the upstream platform. There is one, the platform's own, which all organizations share. */
@Entity({ schema: 'chatapp', name: 'accounts' })
@Index('accounts_phone_number', ['phoneNumberId'], { unique: true })
@Check('accounts_owner_type_check', `owner_type IN ('platform', 'organization')`)
export class ChatappAccount {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'accounts_pkey' })
  id: string;

  @Column('text', { name: 'owner_type' })
  ownerType: 'platform' | 'organization';

  /** Whose account it is; null for the platform's own. */
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  @Column('text', { name: 'phone_number_id' })
  phoneNumberId: string;

  @Column('text', { name: 'business_account_id', nullable: true })
  businessAccountId: string | null;

  /** The number that people see, digits after a plus; null until the upstream has told it. */
  @Column('text', { name: 'display_number', nullable: true })
  displayNumber: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
