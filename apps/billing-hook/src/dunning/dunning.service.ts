import { Dunning } from '@heliograph/billing';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BillingHookSettings } from '../billing-hook.config';
import { BILLING_HOOK_SETTINGS } from '../billing-hook.tokens';
import type { PaidFor } from '../settling/payer';
import { createdOf } from '../standing/moment';
import type { FailureRegister } from '../standing/registers';
import { nextStep } from './schedule';

export interface DunningChange {
  /** Whether it had locked the workspace before, and has now. */
  wasLocked: boolean;
  isLocked: boolean;
}

/** Begins a payer's dunning with the oldest failure that nothing has settled, and ends it with the last. */
@Injectable()
export class DunningService {
  constructor(@Inject(BILLING_HOOK_SETTINGS) private readonly settings: BillingHookSettings) {}

  /** Needs the payer's lock. */
  async follow(transaction: EntityManager, paidFor: PaidFor, failures: FailureRegister[]): Promise<DunningChange> {
    const repository = transaction.getRepository(Dunning);
    const { customer } = paidFor;
    const known = await repository.findOneBy({ customer });
    const open = known && known.endedAt === null ? known : null;
    const wasLocked = open !== null && open.lockedAt !== null;
    const [oldest] = failures.map(({ moment }) => moment).sort();
    if (oldest === undefined) {
      if (open) await repository.update(customer, { endedAt: new Date(), nextStepAt: null });
      return { wasLocked, isLocked: false };
    }
    const firstFailureAt = createdOf(oldest);
    if (open && firstFailureAt <= open.firstFailureAt) {
      // An older failure that came late: day 0 was earlier than it seemed.
      const nextStepAt = this.timeOfNext(firstFailureAt, open.stepsTaken);
      if (firstFailureAt < open.firstFailureAt) await repository.update(customer, { firstFailureAt, nextStepAt });
      return { wasLocked, isLocked: wasLocked };
    }
    await repository.upsert(
      {
        ...paidFor,
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
    return nextStep(firstFailureAt, stepsTaken, this.settings.BILLING_DUNNING_DAY_SECONDS)?.at ?? null;
  }
}
