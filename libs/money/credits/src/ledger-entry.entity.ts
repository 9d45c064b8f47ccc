import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { CreditType } from '@heliograph/contracts';

export type LedgerKind = 'charge' | 'refund' | 'topup' | 'transfer' | 'adjustment';

/** A movement of credits. Entries are immutable and never deleted. */
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

  /** Negative for debits. */
  @Column('bigint')
  amount: number;

  @Column('bigint', { name: 'balance_after' })
  balanceAfter: number;

  /** `<channel>:<id>` of the purpose; unique together with the kind. */
  @Column('text')
  reference: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  /** Increases with every entry of an account. Not positive for entries that predate positions. */
  @Column('bigint', { default: () => "nextval('credits.ledger_position')" })
  position: number;
}
