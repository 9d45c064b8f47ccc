import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A business account at the provider. There is one account, owned by the operator and shared by all organizations. */
@Entity({ schema: 'chatapp', name: 'accounts' })
@Index('accounts_phone_number', ['phoneNumberId'], { unique: true })
@Check('accounts_owner_type_check', `owner_type IN ('platform', 'organization')`)
export class ChatappAccount {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'accounts_pkey' })
  id: string;

  @Column('text', { name: 'owner_type' })
  ownerType: 'platform' | 'organization';

  /** The owning organization; null for the operator's account. */
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  @Column('text', { name: 'phone_number_id' })
  phoneNumberId: string;

  @Column('text', { name: 'business_account_id', nullable: true })
  businessAccountId: string | null;

  /** The display phone number, digits after a plus; null until a webhook of the provider has contained it. */
  @Column('text', { name: 'display_number', nullable: true })
  displayNumber: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
