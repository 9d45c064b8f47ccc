import { ApiProperty } from '@nestjs/swagger';
import type { Dunning, InvoiceRecord, Subscription } from '@heliograph/billing';
import { v1Timestamp } from '@heliograph/service-kit';
import { WORKSPACE_STATUSES, type Workspace, type WorkspaceStatus } from '@heliograph/tenancy';
import { One, ListOf } from '../http/answers';
import { optionalText, optionalTimestamp } from '../http/schemas';

/** The dunning schedule has four reminders. The fifth step is the lock of the workspace. */
const REMINDERS = 4;
const minorUnits = { type: 'integer', description: 'Amount in minor units of the currency' } as const;

export class SubscriptionAnswer {
  @ApiProperty({ description: 'Id assigned by the payment processor' })
  id: string;
  @ApiProperty({ description: 'Status as reported by the payment processor', example: 'active' })
  status: string;
  @ApiProperty()
  plan: string;
  @ApiProperty(optionalTimestamp)
  currentPeriodEnd: string | null;
  @ApiProperty()
  cancelAtPeriodEnd: boolean;

  static of(record: Subscription): SubscriptionAnswer {
    const { subscriptionId: id, status, plan, currentPeriodEnd, cancelAtPeriodEnd } = record;
    return { id, status, plan, currentPeriodEnd: v1Timestamp(currentPeriodEnd), cancelAtPeriodEnd };
  }
}

export class DunningAnswer {
  @ApiProperty({ format: 'date-time' })
  firstFailureAt: string;
  @ApiProperty({ type: 'integer', description: 'Number of reminders sent, at most 4' })
  remindersSent: number;
  @ApiProperty({ ...optionalTimestamp, description: 'Time at which the next reminder or the lock is due' })
  nextStepAt: string | null;
  @ApiProperty(optionalTimestamp)
  lockedAt: string | null;
  @ApiProperty({ ...optionalTimestamp, description: 'Time at which the dunning ended; `null` while it is active' })
  endedAt: string | null;

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
  @ApiProperty()
  plan: string;
  @ApiProperty({ enum: WORKSPACE_STATUSES })
  status: WorkspaceStatus;
  @ApiProperty({ type: String, nullable: true, description: 'Id of the customer at the payment processor' })
  billingCustomer: string | null;
  @ApiProperty({ type: SubscriptionAnswer, nullable: true })
  subscription: SubscriptionAnswer | null;
  @ApiProperty({ type: DunningAnswer, nullable: true, description: 'Dunning state after a failed payment' })
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
  @ApiProperty()
  description: string;
  @ApiProperty({ type: 'integer', nullable: true })
  quantity: number | null;
  @ApiProperty(minorUnits)
  amount: number;
}

export class InvoiceAnswer {
  @ApiProperty({ description: 'Id assigned by the payment processor' })
  id: string;
  @ApiProperty(optionalText)
  number: string | null;
  @ApiProperty({ example: 'paid' })
  status: string;
  @ApiProperty({ example: 'usd' })
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
  @ApiProperty({ type: [InvoiceLineAnswer] })
  lines: InvoiceLineAnswer[];
  @ApiProperty({ type: String, nullable: true, description: 'Page where the invoice can be viewed and paid' })
  hostedUrl: string | null;
  @ApiProperty({ description: 'True if the receipt can be downloaded' })
  hasReceipt: boolean;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
  @ApiProperty(optionalTimestamp)
  paidAt: string | null;

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
