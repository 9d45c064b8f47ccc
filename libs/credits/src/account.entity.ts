import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { CreditType } from '@heliograph/contracts';

/** The balance of one workspace and channel. */
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

  /** Falling below it puts an event on the bus; null: none does. */
  @Column('bigint', { name: 'low_threshold', nullable: true })
  lowThreshold: number | null;
}
