import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Number of free messages of a category that a workspace has used in a calendar month (UTC). */
@Entity({ schema: 'chatapp', name: 'allowance_uses' })
@Check('allowance_uses_used_check', 'used >= 0')
export class ChatappAllowanceUse {
  @PrimaryColumn('uuid', { name: 'workspace_id', primaryKeyConstraintName: 'allowance_uses_pkey' })
  workspaceId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'allowance_uses_pkey' })
  category: string;

  /** The first day of the month. */
  @PrimaryColumn('date', { primaryKeyConstraintName: 'allowance_uses_pkey' })
  month: string;

  @Column('integer')
  used: number;
}
