import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { CreditType } from '@heliograph/contracts';

export type LedgerKind = 'charge' | 'refund' | 'topup' | 'transfer' | 'adjustment';

/** One movement of credits. Never changed, never deleted. */
@Entity({ schema: 'credits', name: 'ledger' })
@Index('ledger_reference', ['reference', 'kind'], { unique: true })
@Index('ledger_workspace', ['workspaceId', 'createdAt', 'position'])
@Check('ledger_kind_check', `kind IN ('charge', 'refund', 'topup', 'transfer', 'adjustment')`)
@Check('ledger_amount_check', `amount BETWEEN -1000000000000 AND 1000000000000 AND (amount <> 0 OR kind = 'charge')`)
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

  /** Grows with every entry of an account. Not above 0 for those from before there were positions. */
  @Column('bigint', { default: () => "nextval('credits.ledger_position')" })
  position: number;
}
