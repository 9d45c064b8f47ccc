import { billingSubscriptionChanged } from '@heliograph/contracts';
import { clientOf } from '@heliograph/database';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import { TenancyService, type Workspace } from '@heliograph/tenancy';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DunningService } from '../dunning/dunning.service';
import type { PaidFor } from '../settling/payer';
import { PayersRepository } from '../settling/payers.repository';
import type { Fact } from './facts';
import { advance, type Registers } from './registers';
import { changesTo, deriveStanding, isNews, type Standing } from './standing';

/** Keeps what is known of a payer, and the plan and status of its workspace, which follow from it. */
@Injectable()
export class StandingService {
  constructor(
    @Inject(TenancyService) private readonly tenancy: TenancyService,
    @Inject(PayersRepository) private readonly payers: PayersRepository,
    @Inject(DunningService) private readonly dunnings: DunningService,
  ) {}

  /** Needs the payer's lock. A fact that says nothing new changes nothing. */
  async learn(transaction: EntityManager, paidFor: PaidFor, workspace: Workspace, fact: Fact): Promise<void> {
    const before = await this.payers.load(transaction, paidFor.customer);
    const after = advance(before, fact);
    if (after === before) return;
    await this.payers.save(transaction, paidFor, before, after);
    const { wasLocked, isLocked } = await this.dunnings.follow(transaction, paidFor, after.failures);
    const standings = { before: deriveStanding(before, wasLocked), after: deriveStanding(after, isLocked) };
    const changes = isNews(fact, after, standings) ? changesTo(workspace, standings, fact.kind) : {};
    const { organizationId, workspaceId, correlationId } = paidFor;
    if (Object.keys(changes).length > 0) {
      await this.tenancy.updateWorkspace(transaction, organizationId, workspaceId, changes, correlationId);
    }
    await this.tell(transaction, paidFor, before, after, standings.after);
  }

  /** On the bus: subscriptions whose status or plan is another now. */
  private async tell(
    transaction: EntityManager,
    paidFor: PaidFor,
    before: Registers,
    after: Registers,
    { plan }: Standing,
  ): Promise<void> {
    const changed = after.subscriptions.filter((now) => {
      const then = before.subscriptions.find(({ subscriptionId }) => subscriptionId === now.subscriptionId);
      return then?.status !== now.status || then.plan !== now.plan;
    });
    const { organizationId, workspaceId, correlationId } = paidFor;
    const events = changed.map(({ subscriptionId, status, plan: own }) =>
      composeEvent(billingSubscriptionChanged, {
        organizationId,
        workspaceId,
        correlationId,
        data: { workspaceId, subscriptionId, status, plan: plan ?? own },
      }),
    );
    await addToOutbox(clientOf(transaction), events);
  }
}
