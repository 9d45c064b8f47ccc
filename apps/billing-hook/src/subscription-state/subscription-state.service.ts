import { billingSubscriptionChanged } from '@heliograph/contracts';
import { clientOf } from '@heliograph/database';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import { TenancyService, type Workspace } from '@heliograph/tenancy';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DunningService } from '../dunning/dunning.service';
import type { PayerReference } from '../payers/payer';
import { PayersRepository } from '../payers/payers.repository';
import type { NormalizedEvent } from './normalized-event';
import { applyEvent, openFailures, type PayerAggregate } from './payer-aggregate';
import {
  workspaceChanges,
  deriveSubscriptionState,
  affectsWorkspace,
  type SubscriptionState,
} from './subscription-state';

/** Stores the aggregate of a payer, and the plan and status of its workspace that are derived from it. */
@Injectable()
export class SubscriptionStateService {
  constructor(
    private readonly tenancy: TenancyService,
    private readonly payers: PayersRepository,
    private readonly dunnings: DunningService,
  ) {}

  /** Requires the payer lock. A normalized event that changes nothing is ignored. */
  async apply(
    transaction: EntityManager,
    payer: PayerReference,
    workspace: Workspace,
    event: NormalizedEvent,
  ): Promise<void> {
    const before = await this.payers.load(transaction, payer.customer);
    const after = applyEvent(before, event);
    if (after === before) return;
    await this.payers.save(transaction, payer, before, after);
    const { wasLocked, isLocked } = await this.dunnings.update(transaction, payer, openFailures(after));
    const states = {
      before: deriveSubscriptionState(before, wasLocked),
      after: deriveSubscriptionState(after, isLocked),
    };
    const changes = affectsWorkspace(event, after, states) ? workspaceChanges(workspace, states, event.kind) : {};
    const { organizationId, workspaceId, correlationId } = payer;
    if (Object.keys(changes).length > 0) {
      await this.tenancy.updateWorkspace(transaction, organizationId, workspaceId, changes, correlationId);
    }
    await this.publish(transaction, payer, before, after, states.after);
  }

  /** Publishes subscriptions whose status or plan changed. */
  private async publish(
    transaction: EntityManager,
    payer: PayerReference,
    before: PayerAggregate,
    after: PayerAggregate,
    { plan }: SubscriptionState,
  ): Promise<void> {
    const changed = after.subscriptions.filter((now) => {
      const then = before.subscriptions.find(({ subscriptionId }) => subscriptionId === now.subscriptionId);
      return then?.status !== now.status || then.plan !== now.plan;
    });
    const { organizationId, workspaceId, correlationId } = payer;
    const events = changed.map(({ subscriptionId, status, plan: own }) =>
      composeEvent(billingSubscriptionChanged, {
        organizationId,
        workspaceId,
        correlationId,
        data: { workspaceId, subscriptionId, status, plan: plan ?? own },
      }),
    );
    await addToOutbox(await clientOf(transaction), events);
  }
}
