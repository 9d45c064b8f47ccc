import type { Invoice } from '@heliograph/billing';
import type { FailureFact, PaymentFact } from '../standing/facts';
import { createdOf, isNewer } from '../standing/moment';
import type { ReadInvoice } from './read-invoice';

export type InvoiceRow = Omit<Invoice, 'organizationId' | 'workspaceId' | 'customer'>;

/**
 * An invoice after one more event about it. Paid, it stays paid; its details are those of the newest payment, and
 * before there is one of the newest failure.
 */
export function mergeInvoice(
  known: InvoiceRow | null,
  invoice: ReadInvoice,
  fact: PaymentFact | FailureFact,
): InvoiceRow {
  const isPayment = fact.kind === 'payment';
  const wasPaid = known?.status === 'paid';
  const counts = isPayment === wasPaid ? isNewer(fact.moment, known?.newest ?? null) : isPayment;
  if (known && !counts) return known;
  const { subscriptionId: _subscription, ...details } = invoice;
  return {
    ...details,
    amountPaid: details.amountPaid ?? (isPayment ? details.total : 0),
    status: isPayment ? 'paid' : 'failed',
    createdAt: details.createdAt ?? createdOf(fact.moment),
    paidAt: isPayment ? (details.paidAt ?? createdOf(fact.moment)) : null,
    newest: fact.moment,
  };
}
