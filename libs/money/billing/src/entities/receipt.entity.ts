import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The receipt of a paid invoice as sent by email. */
@Entity({ schema: 'billing', name: 'receipts' })
export class StoredReceipt {
  @PrimaryColumn('text', { name: 'invoice_id', primaryKeyConstraintName: 'receipts_pkey' })
  invoiceId: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'workspace_id' })
  workspaceId: string;

  @Column('text')
  filename: string;

  @Column('bytea')
  pdf: Buffer;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
