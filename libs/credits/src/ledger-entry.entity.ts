import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { CreditType } from '@heliograph/contracts';

export type LedgerKind = 'charge' | 'refund' | 'topup' | 'transfer' | 'adjustment';

/** One movement of credits. Never changed, never deleted. */
@Entity({ schema: 'credits', name: 'ledger' })
@Index('ledger_reference', ['reference', 'kind'], { unique: true })
@Check('ledger_kind_check', `kind IN ('charge', 'refund', 'topup', 'transfer', 'adjustment')`)
export class LedgerEntry {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'ledger_pkey' })
  id: string;

  @Column('uuid', { name: 'workspace_id' })
  workspaceId: string;

  @Column('text', { name: 'credit_type' })
  creditType: CreditType;

  @Column('text')
  kind: LedgerKind;

  /** Negative when credits left. */
  @Column('bigint')
  amount: number;

  @Column('bigint', { name: 'balance_after' })
  balanceAfter: number;

  /** What it was for, as `<channel>:<id>`; with the kind it happens once. */
  @Column('text')
  reference: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
