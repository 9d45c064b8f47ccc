import { Dunning } from '@heliograph/billing';
import { CONFIG } from '@heliograph/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BillingHookConfig } from '../billing-hook.config';
import type { PayerReference } from '../payers/payer';
import { createdAtOf } from '../subscription-state/event-timestamp';
import type { FailureAggregate } from '../subscription-state/payer-aggregate';
import { nextStep } from './schedule';

export interface DunningChange {
  /** Whether the dunning locked the workspace before and after the change. */
  wasLocked: boolean;
  isLocked: boolean;
}

/** Starts the dunning of a payer at the oldest unsettled failure, and ends it when all failures are settled. */
@Injectable()
export class DunningService {
  constructor(@Inject(CONFIG) private readonly config: BillingHookConfig) {}

  /** Requires the payer lock. */
  async update(
    transaction: EntityManager,
    payer: PayerReference,
    failures: FailureAggregate[],
  ): Promise<DunningChange> {
    const repository = transaction.getRepository(Dunning);
    const { customer } = payer;
    const known = await repository.findOneBy({ customer });
    const open = known && known.endedAt === null ? known : null;
    const wasLocked = open !== null && open.lockedAt !== null;
    const [oldest] = failures.map(({ timestamp }) => timestamp).sort();
    if (oldest === undefined) {
      if (open) await repository.update(customer, { endedAt: new Date(), nextStepAt: null });
      return { wasLocked, isLocked: false };
    }
    const firstFailureAt = createdAtOf(oldest);
    if (open && firstFailureAt <= open.firstFailureAt) {
      // An event about an older failure arrived late, so the start of the dunning is moved to this failure.
      const nextStepAt = this.timeOfNext(firstFailureAt, open.stepsTaken);
      if (firstFailureAt < open.firstFailureAt) await repository.update(customer, { firstFailureAt, nextStepAt });
      return { wasLocked, isLocked: wasLocked };
    }
    await repository.upsert(
      {
        ...payer,
        firstFailureAt,
        stepsTaken: 0,
        nextStepAt: this.timeOfNext(firstFailureAt, 0),
        lockedAt: null,
        endedAt: null,
      },
      ['customer'],
    );
    return { wasLocked, isLocked: false };
  }

  private timeOfNext(firstFailureAt: Date, stepsTaken: number): Date | null {
    return nextStep(firstFailureAt, stepsTaken, this.config.BILLING_DUNNING_DAY_SECONDS)?.at ?? null;
  }
}
