import type { Invoice } from '@heliograph/billing';
import type { PaymentFailed, PaymentSucceeded } from '../subscription-state/normalized-event';
import { createdAtOf, isNewer } from '../subscription-state/event-timestamp';
import type { ReadInvoice } from './read-invoice';

export type InvoiceRow = Omit<Invoice, 'organizationId' | 'workspaceId' | 'customer'>;

/**
 * Merges an event into an invoice. A paid invoice stays paid. Its details come from the newest payment or, before the
 * first payment, from the newest failure.
 */
export function mergeInvoice(
  known: InvoiceRow | null,
  invoice: ReadInvoice,
  event: PaymentSucceeded | PaymentFailed,
): InvoiceRow {
  const isPayment = event.kind === 'payment';
  const wasPaid = known?.status === 'paid';
  const counts = isPayment === wasPaid ? isNewer(event.timestamp, known?.newest ?? null) : isPayment;
  if (known && !counts) return known;
  const { subscriptionId: _subscription, ...details } = invoice;
  return {
    ...details,
    amountPaid: details.amountPaid ?? (isPayment ? details.total : 0),
    status: isPayment ? 'paid' : 'failed',
    createdAt: details.createdAt ?? createdAtOf(event.timestamp),
    paidAt: isPayment ? (details.paidAt ?? createdAtOf(event.timestamp)) : null,
    newest: event.timestamp,
  };
}
