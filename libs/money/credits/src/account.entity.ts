import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { CreditType } from '@heliograph/contracts';

/** The balance of a workspace for one credit type. */
@Entity({ schema: 'credits', name: 'accounts' })
@Check('accounts_balance_check', 'balance >= 0')
@Check('accounts_balance_limit_check', 'balance <= 9000000000000000')
@Check('accounts_low_threshold_check', 'low_threshold > 0')
export class CreditAccount {
  @PrimaryColumn('uuid', { name: 'workspace_id', primaryKeyConstraintName: 'accounts_pkey' })
  workspaceId: string;

  @PrimaryColumn('text', { name: 'credit_type', primaryKeyConstraintName: 'accounts_pkey' })
  creditType: CreditType;

  @Column('bigint', { default: 0 })
  balance: number;

  /** `credits.low` is emitted when the balance drops below this value; null disables it. */
  @Column('bigint', { name: 'low_threshold', nullable: true })
  lowThreshold: number | null;
}
