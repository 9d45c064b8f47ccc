import { exportEntries, type LedgerFilter, type LedgerKind } from '@heliograph/credits';
import type { CreditType } from '@heliograph/contracts';
import type { Pool } from 'pg';
import type { Report, RowPosition } from '../report';
import { V1Transaction } from '../../../money/v1-credits/v1-credits.dto';
import { creditType, oneOf, text } from './filters';
import type { ReportBatch, ReportSource } from './report-source';

/** The entries of the ledger, by workspace. */
export const creditTransactions: ReportSource = {
  columns: [
    'id',
    'workspace_id',
    'credit_type',
    'kind',
    'amount',
    'balance_after',
    'reference',
    'description',
    'created_at',
  ],
  filters: {
    credit_type: creditType('credit_type'),
    kind: oneOf('kind', ['charge', 'refund', 'topup', 'transfer', 'adjustment']),
    reference: text('reference', 255),
  },
  batches,
};

async function* batches(pool: Pool, report: Report, after: RowPosition | null): AsyncGenerator<ReportBatch> {
  const { filters, since, before, organizationId, workspaceId } = report;
  const { rows: workspaces } = await pool.query<{ id: string }>(
    `SELECT id FROM tenancy.workspaces
     WHERE organization_id = $1 AND ($2::uuid IS NULL OR id = $2) ORDER BY created_at, id`,
    [organizationId, workspaceId],
  );
  const filter: LedgerFilter = {
    to: before,
    ...(since === null ? {} : { from: since }),
    ...(filters['credit_type'] === undefined ? {} : { creditType: filters['credit_type'] as CreditType }),
    ...(filters['kind'] === undefined ? {} : { kind: filters['kind'] as LedgerKind }),
    ...(filters['reference'] === undefined ? {} : { reference: filters['reference'] }),
  };
  const first = after === null ? 0 : workspaces.findIndex(({ id }) => id === after['workspace']);
  for (const { id } of workspaces.slice(Math.max(0, first))) {
    const start = after?.['workspace'] === id ? (after['entry'] ?? null) : null;
    for await (const entries of exportEntries(pool, id, filter, start)) {
      const rows = entries.map((entry) => ({ ...V1Transaction.of(entry) }));
      yield { rows, position: { workspace: id, entry: entries.at(-1)?.id ?? null } };
    }
  }
}
