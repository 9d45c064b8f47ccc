import type { Integer, Timestamp } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import type { Dunning, InvoiceRecord, Subscription } from '@heliograph/billing';
import { v1Timestamp } from '@heliograph/service-kit';
import { WORKSPACE_STATUSES, type Workspace } from '@heliograph/tenancy';
import { One, ListOf } from '../../http/answers';

/** The dunning schedule has four reminders. The fifth step is the lock of the workspace. */
const REMINDERS = 4;
const minorUnits = { type: 'integer', description: 'Amount in minor units of the currency' } as const;

export class SubscriptionAnswer {
  /** Id assigned by the payment processor. */
  id: string;
  /**
   * Status as reported by the payment processor.
   * @example active
   */
  status: string;
  plan: string;
  currentPeriodEnd: Timestamp | null;
  cancelAtPeriodEnd: boolean;

  static of(record: Subscription): SubscriptionAnswer {
    const { subscriptionId: id, status, plan, currentPeriodEnd, cancelAtPeriodEnd } = record;
    return { id, status, plan, currentPeriodEnd: v1Timestamp(currentPeriodEnd), cancelAtPeriodEnd };
  }
}

export class DunningAnswer {
  firstFailureAt: Timestamp;
  /** Number of reminders sent, at most 4. */
  remindersSent: Integer;
  /** Time at which the next reminder or the lock is due. */
  nextStepAt: Timestamp | null;
  lockedAt: Timestamp | null;
  /** Time at which the dunning ended; `null` while it is active. */
  endedAt: Timestamp | null;

  static of({ firstFailureAt, stepsTaken, nextStepAt, lockedAt, endedAt }: Dunning): DunningAnswer {
    return {
      firstFailureAt: firstFailureAt.toISOString(),
      remindersSent: Math.min(stepsTaken, REMINDERS),
      nextStepAt: v1Timestamp(nextStepAt),
      lockedAt: v1Timestamp(lockedAt),
      endedAt: v1Timestamp(endedAt),
    };
  }
}

export class BillingState {
  plan: string;
  status: (typeof WORKSPACE_STATUSES)[number];
  /** Id of the customer at the payment processor. */
  billingCustomer: string | null;
  subscription: SubscriptionAnswer | null;
  /** Dunning state after a failed payment. */
  dunning: DunningAnswer | null;

  static of(
    { plan, status, billingCustomer }: Workspace,
    subscription: Subscription | null,
    dunning: Dunning | null,
  ): BillingState {
    return {
      plan,
      status,
      billingCustomer,
      subscription: subscription && SubscriptionAnswer.of(subscription),
      dunning: dunning && DunningAnswer.of(dunning),
    };
  }
}

class InvoiceLineAnswer {
  description: string;
  quantity: Integer | null;
  @ApiProperty(minorUnits)
  amount: number;
}

export class InvoiceAnswer {
  /** Id assigned by the payment processor. */
  id: string;
  number: string | null;
  /** @example paid */
  status: string;
  /** @example usd */
  currency: string;
  @ApiProperty(minorUnits)
  amountDue: number;
  @ApiProperty(minorUnits)
  amountPaid: number;
  @ApiProperty(minorUnits)
  subtotal: number;
  @ApiProperty({ ...minorUnits, nullable: true })
  tax: number | null;
  @ApiProperty(minorUnits)
  total: number;
  lines: InvoiceLineAnswer[];
  /** Page where the invoice can be viewed and paid. */
  hostedUrl: string | null;
  /** True if the receipt can be downloaded. */
  hasReceipt: boolean;
  createdAt: Timestamp;
  paidAt: Timestamp | null;

  static of(record: InvoiceRecord): InvoiceAnswer {
    const { id, number, status, currency, amountDue, amountPaid, subtotal, tax, total, hostedUrl, hasReceipt } = record;
    return {
      id,
      number,
      status,
      currency,
      amountDue,
      amountPaid,
      subtotal,
      tax,
      total,
      lines: record.lines.map(({ description, quantity, amount }) => ({ description, quantity, amount })),
      hostedUrl,
      hasReceipt,
      createdAt: record.createdAt.toISOString(),
      paidAt: v1Timestamp(record.paidAt),
    };
  }
}

export class OneInvoice extends One('invoice', InvoiceAnswer) {}

export class InvoiceList extends ListOf('invoices', InvoiceAnswer) {}
