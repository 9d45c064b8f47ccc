import { Injectable } from '@nestjs/common';
import { adjust, lockedBalanceOf } from '@heliograph/credits';
import { clientOf, newId } from '@heliograph/database';
import { UnitOfWork, WorkspaceDirectory, type Write } from '@heliograph/tenancy';
import type { Caller } from '../access/caller';
import { assertTestMode } from './organization-in';
import type { V1TestCredits, V1TestCreditsRequest } from './test-mode.dto';

/** Sets the balances of test workspaces. */
@Injectable()
export class TestCreditsService {
  constructor(
    private readonly workspaces: WorkspaceDirectory,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The difference is an adjustment in the ledger. Throws STATE_CONFLICT in live mode, NOT_FOUND. */
  set(write: Write, caller: Caller, request: V1TestCreditsRequest): Promise<V1TestCredits> {
    return this.unitOfWork.once(write, async () => {
      assertTestMode(caller);
      const { organizationId, boundWorkspaceId } = caller;
      const owner = { organizationId, workspaceId: boundWorkspaceId };
      const chosen = await this.workspaces.chosen(owner, request.workspace_id);
      const workspaceId = chosen ?? (await this.workspaces.reading(owner)).id;
      const { credit_type: creditType, balance } = request;
      return this.unitOfWork.run(write, async ({ transaction, audit }) => {
        const client = await clientOf(transaction);
        const before = await lockedBalanceOf(client, workspaceId, creditType);
        if (balance !== before) {
          const reference = `test-mode:${newId()}`;
          const correlationId = write.actor.requestId;
          await adjust(client, {
            organizationId,
            workspaceId,
            creditType,
            amount: balance - before,
            reference,
            correlationId,
          });
        }
        await audit({
          organizationId,
          workspaceId,
          action: 'test.credits_set',
          target: { type: 'workspace', id: workspaceId },
          before: { creditType, balance: before },
          after: { creditType, balance },
        });
        return { workspace_id: workspaceId, credit_type: creditType, balance };
      });
    });
  }
}
