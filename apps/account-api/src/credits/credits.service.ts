import { Inject, Injectable } from '@nestjs/common';
import { CREDIT_TYPES, type CreditType } from '@heliograph/contracts';
import {
  balancesOf,
  exportEntries,
  listEntries,
  setLowThreshold,
  transfer,
  type Balance,
  type LedgerEntryRow,
  type LedgerFilter,
  type LedgerPage,
} from '@heliograph/credits';
import { clientOf, isId, newId, poolOf, type Page } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { Workspace } from '@heliograph/tenancy';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../access/caller';
import { Writes, type WriteCall } from '../writes/writes.service';
import type { BalanceRecord, TransferRecord, TransferRequest } from './credits.dto';

/** What a workspace has, had, and gives to another. */
@Injectable()
export class CreditsService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  balances({ id }: Workspace): Promise<Balance[]> {
    return balancesOf(poolOf(this.dataSource), id);
  }

  entries({ id }: Workspace, filter: LedgerFilter, page: Page): Promise<LedgerPage> {
    return listEntries(poolOf(this.dataSource), id, filter, page);
  }

  export({ id }: Workspace, filter: LedgerFilter): AsyncIterable<LedgerEntryRow[]> {
    return exportEntries(poolOf(this.dataSource), id, filter);
  }

  /** Throws INSUFFICIENT_CREDITS, VALIDATION_ERROR. */
  transfer(call: WriteCall, caller: Caller, from: Workspace, asked: TransferRequest): Promise<TransferRecord> {
    const { organizationId } = from;
    const { creditType, amount } = asked;
    if (caller.boundTo !== null) {
      throw new AppError('FORBIDDEN', 'A key that is bound to one workspace moves no credits to another.');
    }
    return this.writes.run(call, async ({ transaction, record }) => {
      const to = await this.siblingOf(transaction, from, asked.toWorkspaceId);
      const toWorkspaceId = to.id;
      if (to.status === 'locked') {
        throw new AppError(
          'FORBIDDEN',
          'Billing has locked the workspace that would receive. Settle its invoice first.',
        );
      }
      const id = newId();
      const order = { organizationId, fromWorkspaceId: from.id, toWorkspaceId, creditType, amount };
      const moved = await transfer(clientOf(transaction), {
        ...order,
        transferId: id,
        correlationId: call.actor.requestId,
      });
      if (moved.outcome === 'insufficient') {
        throw new AppError(
          'INSUFFICIENT_CREDITS',
          `The workspace has ${moved.fromBalance} ${creditType} credits. Transfer fewer, or top it up.`,
        );
      }
      const { fromBalance, toBalance } = moved;
      const made = { id, fromWorkspaceId: from.id, toWorkspaceId, creditType, amount, fromBalance, toBalance };
      await record({
        organizationId,
        workspaceId: from.id,
        action: 'credits.transferred',
        target: { type: 'workspace', id: toWorkspaceId },
        before: null,
        after: made,
      });
      return made;
    });
  }

  /** Throws NOT_FOUND for a credit type that there is not, VALIDATION_ERROR. */
  setThreshold(
    call: WriteCall,
    { id, organizationId }: Workspace,
    type: string,
    lowThreshold: number | null,
  ): Promise<BalanceRecord> {
    const creditType = CREDIT_TYPES.find((known) => known === type);
    if (!creditType) throw new AppError('NOT_FOUND', `There are ${CREDIT_TYPES.join(', ')} credits.`);
    return this.writes.run(call, async ({ transaction, record }) => {
      const client = clientOf(transaction);
      const { before, after } = await setLowThreshold(client, id, creditType, lowThreshold);
      await record({
        organizationId,
        workspaceId: id,
        action: 'credits.threshold_changed',
        target: { type: 'workspace', id },
        before: { creditType, lowThreshold: before },
        after: { creditType, lowThreshold: after },
      });
      return { creditType, balance: await balanceIn(client, id, creditType), lowThreshold: after };
    });
  }

  /** Throws VALIDATION_ERROR for what is no workspace of the organization. */
  private async siblingOf(transaction: EntityManager, from: Workspace, id: string): Promise<Workspace> {
    const { organizationId } = from;
    const to = isId(id) ? await transaction.getRepository(Workspace).findOneBy({ organizationId, id }) : null;
    if (!to) throw new AppError('VALIDATION_ERROR', 'toWorkspaceId: must be another workspace of the organization.');
    return to;
  }
}

async function balanceIn(client: Parameters<typeof balancesOf>[0], id: string, type: CreditType): Promise<number> {
  return (await balancesOf(client, id)).find(({ creditType }) => creditType === type)?.balance ?? 0;
}
