import { Injectable, type StreamableFile } from '@nestjs/common';
import { CREDIT_TYPES } from '@heliograph/contracts';
import { balanceOf, balancesOf, exportEntries, listEntries, setLowThreshold, transfer } from '@heliograph/credits';
import { clientOf, isId, newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { Workspace, UnitOfWork, type Write } from '@heliograph/tenancy';
import { Pool } from 'pg';
import { type EntityManager } from 'typeorm';
import { pageOf } from '@heliograph/service-kit';
import type { Caller } from '../../access/caller';
import { workspaceLocked } from '../../access/permissions';
import { csvFile } from '../../http/csv';
import {
  BalanceRecord,
  EntryList,
  filterOf,
  type Balances,
  type ExportQuery,
  type LedgerQuery,
  type OneBalance,
  type TransferRecord,
  type TransferRequest,
} from './credits.dto';
import { LEDGER_CSV_HEADER, ledgerCsvLine } from './ledger-csv';

/** Reads balances and ledger entries, transfers credits and sets thresholds. */
@Injectable()
export class CreditsService {
  constructor(
    private readonly pool: Pool,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async balances({ id }: Workspace): Promise<Balances> {
    const balances = await balancesOf(this.pool, id);
    return { workspaceId: id, balances: balances.map((balance) => BalanceRecord.of(balance)) };
  }

  async entries({ id }: Workspace, query: LedgerQuery): Promise<EntryList> {
    return EntryList.of(await listEntries(this.pool, [id], filterOf(query), pageOf(query)));
  }

  export({ id, slug }: Workspace, query: ExportQuery): Promise<StreamableFile> {
    return csvFile({
      filename: `ledger-${slug}.csv`,
      header: LEDGER_CSV_HEADER,
      batches: exportEntries(this.pool, id, filterOf(query)),
      lineOf: ledgerCsvLine,
    });
  }

  /** Throws INSUFFICIENT_CREDITS, VALIDATION_ERROR. */
  transfer<Answer extends object>(
    write: Write,
    caller: Caller,
    from: Workspace,
    body: TransferRequest,
    answer: (transfer: TransferRecord) => Answer,
  ): Promise<Answer> {
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const { organizationId } = from;
      const { creditType, amount } = body;
      if (caller.boundWorkspaceId !== null) {
        throw new AppError(
          'FORBIDDEN',
          'An API key that is bound to a workspace cannot transfer credits. Use an unbound API key.',
        );
      }
      if (from.status === 'locked') throw workspaceLocked();
      const to = await this.siblingOf(transaction, from, body.toWorkspaceId);
      const toWorkspaceId = to.id;
      if (to.status === 'locked') {
        throw new AppError(
          'FORBIDDEN',
          'The receiving workspace is locked for unpaid invoices. Pay its open invoice first.',
        );
      }
      const id = newId();
      const order = { organizationId, fromWorkspaceId: from.id, toWorkspaceId, creditType, amount };
      const moved = await transfer(await clientOf(transaction), {
        ...order,
        transferId: id,
        correlationId: write.actor.requestId,
      });
      if (moved.outcome === 'insufficient') {
        throw new AppError(
          'INSUFFICIENT_CREDITS',
          `The workspace has only ${moved.fromBalance} ${creditType} credits. Transfer fewer credits, or top up the workspace first.`,
        );
      }
      const { fromBalance, toBalance } = moved;
      const created = { id, fromWorkspaceId: from.id, toWorkspaceId, creditType, amount, fromBalance, toBalance };
      await audit({
        organizationId,
        workspaceId: from.id,
        action: 'credits.transferred',
        target: { type: 'workspace', id: toWorkspaceId },
        before: null,
        after: created,
      });
      return answer(created);
    });
  }

  /** Throws NOT_FOUND for an unknown credit type, VALIDATION_ERROR. */
  setThreshold(
    write: Write,
    { id, organizationId }: Workspace,
    type: string,
    lowThreshold: number | null,
  ): Promise<OneBalance> {
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const creditType = CREDIT_TYPES.find((known) => known === type);
      if (!creditType) throw new AppError('NOT_FOUND', `Unknown credit type. Use one of ${CREDIT_TYPES.join(', ')}.`);
      const client = await clientOf(transaction);
      const { before, after } = await setLowThreshold(client, id, creditType, lowThreshold);
      await audit({
        organizationId,
        workspaceId: id,
        action: 'credits.threshold_changed',
        target: { type: 'workspace', id },
        before: { creditType, lowThreshold: before },
        after: { creditType, lowThreshold: after },
      });
      return { balance: { creditType, balance: await balanceOf(client, id, creditType), lowThreshold: after } };
    });
  }

  /** Throws VALIDATION_ERROR unless the id is a workspace of the organization. */
  private async siblingOf(transaction: EntityManager, from: Workspace, id: string): Promise<Workspace> {
    const { organizationId } = from;
    const to = isId(id) ? await transaction.getRepository(Workspace).findOneBy({ organizationId, id }) : null;
    if (!to) throw new AppError('VALIDATION_ERROR', 'toWorkspaceId: must be another workspace of the organization.');
    return to;
  }
}
