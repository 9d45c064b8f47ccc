import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A customer of the processor and the workspace that it pays for. */
@Entity({ schema: 'billing', name: 'payers' })
export class Payer {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'payers_pkey' })
  customer: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'workspace_id' })
  workspaceId: string;

  /** Timestamp of the newest payment. */
  @Column('text', { nullable: true })
  paid: string | null;
}
