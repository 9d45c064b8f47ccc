import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Organization } from './organization.entity';

export const WORKSPACE_STATUSES = ['active', 'past_due', 'canceled', 'locked'] as const;
export type WorkspaceStatus = (typeof WORKSPACE_STATUSES)[number];

/** Credits and messages belong to a workspace. */
@Entity({ schema: 'tenancy', name: 'workspaces' })
@Index('workspaces_slug', ['slug'], { unique: true })
@Index('workspaces_billing_customer', ['billingCustomer'], { unique: true })
@Index('workspaces_organization', ['organizationId', 'createdAt'])
@Check('workspaces_status_check', `status IN ('active', 'past_due', 'canceled', 'locked')`)
export class Workspace {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'workspaces_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @ManyToOne(() => Organization)
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'workspaces_organization_fkey' })
  organization?: Organization;

  @Column('text')
  slug: string;

  @Column('text', { name: 'display_name' })
  displayName: string;

  @Column('text')
  plan: string;

  @Column('text')
  status: WorkspaceStatus;

  /** Customer id at the payment processor. */
  @Column('text', { name: 'billing_customer', nullable: true })
  billingCustomer: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
