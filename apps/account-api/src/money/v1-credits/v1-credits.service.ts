import { Injectable } from '@nestjs/common';
import { balancesOf, listEntries } from '@heliograph/credits';
import {
  fieldError,
  parseScheduledAt,
  v1List,
  v1NotFound,
  pageOf,
  withFields,
  type V1List,
} from '@heliograph/service-kit';
import { UnitOfWork, Workspace, WorkspaceDirectory, type Write } from '@heliograph/tenancy';
import { Pool } from 'pg';
import type { Caller } from '../../access/caller';
import { CreditsService } from '../credits/credits.service';
import {
  V1Transaction,
  type V1Balance,
  type V1BalanceQuery,
  type V1TransactionsQuery,
  type V1Transfer,
  type V1TransferRequest,
} from './v1-credits.dto';

/** Balances, ledger entries and transfers of the v1 API. */
@Injectable()
export class V1CreditsService {
  constructor(
    private readonly pool: Pool,
    private readonly directory: WorkspaceDirectory,
    private readonly credits: CreditsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Throws NOT_FOUND. */
  async balance(
    { organizationId, boundWorkspaceId }: Caller,
    { workspace_id: given }: V1BalanceQuery,
  ): Promise<V1Balance> {
    const owner = { organizationId, workspaceId: boundWorkspaceId };
    const id = (await this.directory.chosen(owner, given)) ?? (await this.directory.reading(owner)).id;
    const balances = Object.fromEntries(
      (await balancesOf(this.pool, id)).map(({ creditType, balance }) => [creditType, balance]),
    );
    const { rows } = await this.pool.query<{ currency: string }>(
      'SELECT currency FROM chatapp.prices ORDER BY valid_from DESC LIMIT 1',
    );
    return {
      workspace_id: id,
      sms: balances['sms'] ?? 0,
      email: balances['email'] ?? 0,
      chatapp: balances['chatapp'] ?? 0,
      chatapp_currency: rows[0]?.currency ?? null,
    };
  }

  /** Throws NOT_FOUND for a workspace of another organization. */
  async transactions(
    { organizationId, boundWorkspaceId }: Caller,
    query: V1TransactionsQuery,
  ): Promise<V1List<V1Transaction>> {
    const owner = { organizationId, workspaceId: boundWorkspaceId };
    const workspaceId = await this.directory.chosen(owner, query.workspace_id);
    const workspaceIds = workspaceId === null ? (await this.directory.all(owner)).map(({ id }) => id) : [workspaceId];
    const { credit_type: creditType, kind, from, until, reference } = query;
    const since = from ? parseScheduledAt(from) : null;
    const before = until ? parseScheduledAt(until) : null;
    const filter = {
      ...(creditType ? { creditType } : {}),
      ...(kind ? { kind } : {}),
      ...(since ? { from: since.date } : {}),
      ...(before ? { to: before.date } : {}),
      ...(reference === undefined ? {} : { reference }),
    };
    return v1List(await listEntries(this.pool, workspaceIds, filter, pageOf(query)), V1Transaction.of);
  }

  /** Throws NOT_FOUND, INSUFFICIENT_CREDITS, INVALID_REQUEST. */
  transfer(write: Write, caller: Caller, request: V1TransferRequest): Promise<V1Transfer> {
    return this.unitOfWork.once(write, async () => {
      const { from_workspace_id: fromId, to_workspace_id: toId, credit_type: creditType, amount } = request;
      if (fromId.toLowerCase() === toId.toLowerCase()) {
        throw fieldError('INVALID_REQUEST', 'to_workspace_id', 'to_workspace_id must differ from from_workspace_id.');
      }
      const from = await this.ownWorkspace(caller.organizationId, fromId);
      await this.ownWorkspace(caller.organizationId, toId);
      return withFields({}, () =>
        this.credits.transfer(write, caller, from, { toWorkspaceId: toId, creditType, amount }, (transfer) => ({
          id: transfer.id,
          from_workspace_id: transfer.fromWorkspaceId,
          to_workspace_id: transfer.toWorkspaceId,
          credit_type: transfer.creditType,
          amount: transfer.amount,
          from_balance: transfer.fromBalance,
          to_balance: transfer.toBalance,
        })),
      );
    });
  }

  private async ownWorkspace(organizationId: string, id: string): Promise<Workspace> {
    const own = await this.directory.all({ organizationId, workspaceId: null });
    const found = own.find((workspace) => workspace.id === id.toLowerCase());
    if (!found) throw v1NotFound('workspace');
    return found;
  }
}
