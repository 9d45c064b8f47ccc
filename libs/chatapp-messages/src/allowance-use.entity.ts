import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** How many free messages of a category a workspace has had in a calendar month (UTC). */
@Entity({ schema: 'chatapp', name: 'allowance_uses' })
@Check('allowance_uses_used_check', 'used >= 0')
export class ChatappAllowanceUse {
  @PrimaryColumn('uuid', { name: 'workspace_id', primaryKeyConstraintName: 'allowance_uses_pkey' })
  workspaceId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'allowance_uses_pkey' })
  category: string;

  /** Its first day. */
  @PrimaryColumn('date', { primaryKeyConstraintName: 'allowance_uses_pkey' })
  month: string;

  @Column('integer')
  used: number;
}
